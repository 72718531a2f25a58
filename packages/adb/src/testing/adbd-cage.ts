/**
 * Runs inside a network namespace of its own (`unshare -n node adbd-cage.ts <socket> <adbd> <libraries>`): adbd listens on every interface
 * and has no option for another. A Unix socket of the file system is seen from outside, and leads to it. Ends with its standard input.
 */
import { execFileSync, spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [socketPath = "", program = "", libraries = ""] = process.argv.slice(2);
const ADBD_PORT = 5555;

// The last line of what is printed is the reason that a skipped test gives.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
execFileSync("ip", ["link", "set", "lo", "up"]);
const adbd = spawn(program, [], {
  env: { LD_LIBRARY_PATH: libraries, PATH: process.env.PATH },
  stdio: ["ignore", "ignore", "inherit"],
});
adbd.on("exit", (code) => process.exit(code ?? 1));
process.stdin.on("end", () => adbd.kill("SIGKILL"));
process.stdin.resume();

const join = (one: Socket, other: Socket) => {
  for (const socket of [one, other]) socket.on("error", () => {});
  one.pipe(other).pipe(one);
  one.on("close", () => other.destroy());
  other.on("close", () => one.destroy());
};

// What a program on the device listens on.
createServer((socket) => socket.pipe(socket)).listen("\0terrarium-echo");

async function answers(): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(ADBD_PORT, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

while (!(await answers())) await sleep(20);
createServer((outside) => join(outside, connect(ADBD_PORT, "127.0.0.1"))).listen(socketPath, () =>
  console.log("ready"),
);
