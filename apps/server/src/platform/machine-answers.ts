import { connect } from "node:net";

/** A system answers within milliseconds, whatever its programs do; there is time for one packet that gets lost. */
const ANSWER_TIMEOUT_MS = 1_500;
/** What is said of a machine that is not there. Other errors, as that this one has no network, say nothing of it. */
const noMachine = new Set(["EHOSTUNREACH", "EHOSTDOWN", "ETIMEDOUT", "ENOTFOUND"]);

/**
 * Whether there is a machine at `host:port`, as far as can be known from here: its system takes the connection, even for a program that
 * hangs, or refuses it.
 */
export function machineAnswers(address: string, timeoutMs = ANSWER_TIMEOUT_MS): Promise<boolean> {
  const [host = "", port = ""] = address.split(/:(?=\d+$)/);
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port), timeout: timeoutMs });
    const finish = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.once("connect", () => finish(true));
    socket.once("timeout", () => finish(false));
    socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => finish(!noMachine.has(code)));
  });
}
