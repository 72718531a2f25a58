import { spawn } from "node:child_process";
import { constants } from "node:os";
import { root } from "./root.mjs";

/**
 * Runs a program to its end in the repository's folder, showing what it prints.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to this process's
 * @returns {Promise<number>} its exit code; 128 and the signal's number when a signal ended it, as in a shell
 */
export function run(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(exitCode(code, signal)));
  });
}

/**
 * Runs a program that lives until it is told to stop, in a process group of its own: a Ctrl-C in a terminal goes to the whole
 * group, and a signal that also came from us would reach it twice. It gets our SIGINT, SIGTERM and SIGHUP once each, and a pipe
 * to us that closes when we are killed: `end-with-parent.mjs` makes a Node program stop then.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to this process's
 * @returns {{ ended: Promise<number>, stop(): void }} `ended` gives the exit code
 */
export function keep(program, args, env = {}) {
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
    // npm passes a signal on as well, so the same one may come twice.
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
