import { mkdirSync, rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { parseArgs } from "node:util";
import { systemClock } from "@terrarium/clock";
import { setFlagsFromString } from "node:v8";
import { DeviceHost, HostRunsAlready, startControlServer } from "@terrarium/simulator";
import { createScreen } from "@terrarium/simulator-screen";

/** The program that holds the devices: `node host-main.ts --socket PATH --files FOLDER [--max-devices N] [--max-disk-mb N] [--orphan-ms N]` */
const { values } = parseArgs({
  options: {
    socket: { type: "string" },
    files: { type: "string" },
    "max-devices": { type: "string", default: "1000" },
    "max-disk-mb": { type: "string", default: "2048" },
    "orphan-ms": { type: "string", default: "60000" },
  },
});
const { socket, files } = values;
if (socket === undefined || files === undefined) throw new Error("--socket and --files must be given");

// `grep` and `sed` run expressions of whoever types them: one that would take for ever goes to the engine that takes
// time in proportion to the text, so that it does not hold up every other device.
setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");

const log = (line: string) => console.log(`${new Date(systemClock.now()).toISOString()} ${line}`);
const spillFolder = `${files}/${process.pid}`;
const host = new DeviceHost({
  clock: systemClock,
  createScreen,
  maxDevices: Number(values["max-devices"]),
  maxDiskBytes: Number(values["max-disk-mb"]) * 1024 * 1024,
  spillFolder,
  log,
});
// It belongs to one device, but which is not known: the others must go on.
process.on("uncaughtException", (error) => log(`not caught: ${error.stack ?? error.message}`));
process.on("unhandledRejection", (reason) =>
  log(`not caught: ${reason instanceof Error ? reason.stack : String(reason)}`),
);

// The next host starts from it. At its end this one may be killed, and later it has devices to serve.
flushCompileCache();
try {
  const control = await startControlServer({
    path: socket,
    host,
    clock: systemClock,
    orphanMs: Number(values["orphan-ms"]),
    log,
  });
  // Now that the socket is ours, nobody uses what an earlier host left.
  rmSync(files, { recursive: true, force: true });
  mkdirSync(spillFolder, { recursive: true, mode: 0o700 });
  log(`host ${process.pid} listens on ${socket}`);
  const signalled = new Promise<string>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
  const reason = await Promise.race([control.over, signalled]);
  log(`ending: ${reason}`);
  await host.close();
  rmSync(files, { recursive: true, force: true });
  // Last: a client that sees the connection close knows that everything is gone.
  await control.stop();
  process.exit(0);
} catch (error) {
  log(
    error instanceof HostRunsAlready
      ? error.message
      : `the host did not start: ${error instanceof Error ? error.stack : String(error)}`,
  );
  process.exit(1);
}
