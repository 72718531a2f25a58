import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./root.mjs";

/**
 * Runs a program to its end, in the repository's folder and with our standard output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] in addition to this process's environment
 * @returns {Promise<number>} its exit code; 128 plus the signal's number if a signal ended it, as in a shell
 */
export function run(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(exitCode(code, signal)));
  });
}

/**
 * Starts a long-running program. It gets its own process group, because Ctrl-C in a terminal signals the whole group, and the signal
 * that we forward would be a second one. We forward SIGINT, SIGTERM and SIGHUP, each once. It also gets an IPC channel, which closes
 * when we are killed; `end-with-parent.mjs` makes a Node program stop then.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] in addition to this process's environment
 * @returns {{ ended: Promise<number>, stop(): void }} `ended` resolves to the exit code
 */
export function startChild(program, args, env = {}) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    detached: true,
  });
  /** @type {Set<NodeJS.Signals>} */
  const sent = new Set();
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    // npm forwards signals too, so we may receive the same one twice.
    if (sent.has(signal)) return;
    sent.add(signal);
    child.kill(signal);
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, forward);
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(exitCode(code, signal)));
  });
  return {
    ended: ended.finally(() => {
      for (const signal of signals) process.off(signal, forward);
    }),
    stop: () => forward("SIGTERM"),
  };
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCode(code, signal) {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}
