import { abortable, type Clock } from "@terrarium/clock";
import { askIn, type LoopbackPort, openLoopbackPort } from "@terrarium/runtime";
import type { Container, Exec } from "dockerode";
import type { Socket } from "node:net";
import { type Duplex, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Busybox, toybox (Android's) and the others take it alike. */
const TO_ADB = ["nc", "127.0.0.1", "5555"];
const HEADER_BYTES = 8;
const STDERR = 2;
const MAX_COMPLAINT = 300;
/** A program starts within a second, unless Docker hangs. */
const MAX_TRIES = 200;
const POLL_MS = 25;
const ANSWER_TIMEOUT_MS = 5_000;

/** A port of loopback that leads to a container's adb. */
export interface AdbTunnel extends LoopbackPort {
  /** Why the last connection did not get there; empty if it did. */
  complaint(): string;
  /**
   * Lets connections wait that are made from now on. Resolves when none is being made, with what lets them go on. What is begun in a
   * container that is about to stand still would hold up all else in it. If the signal aborts before, it lets them go on, and rejects.
   */
  hold(signal: AbortSignal): Promise<() => void>;
}

/**
 * Leads to the adb of a container through Docker itself, by a program in the container. So adb is published nowhere, not even on Docker's
 * host, and a host that is far away is reached under its TLS.
 */
export async function openAdbTunnel(
  containerOf: () => Container | undefined,
  wantedPort: number | undefined,
  { clock, log }: { clock: Clock; log: (line: string) => void },
): Promise<AdbTunnel> {
  let complaint = "";
  let held = Promise.resolve();
  const running = new Set<Exec>();
  const carry = async (socket: Socket): Promise<void> => {
    let exec: Exec | undefined;
    try {
      await held;
      exec = await containerOf()?.exec({ Cmd: TO_ADB, AttachStdin: true, AttachStdout: true, AttachStderr: true });
      if (!exec) throw new Error("it has not started yet");
      await held;
      running.add(exec);
      const stream: Duplex = await exec.start({ hijack: true, stdin: true });
      let said = "";
      const hear = (errors: string) => (complaint = said = errors && (said + errors).slice(-MAX_COMPLAINT));
      const ended = [pipeline(socket, stream), pipeline(stream, frames(hear), socket)];
      await Promise.all(ended).finally(() => stream.destroy());
    } catch (error) {
      // That adb closed a connection, or its client did, is no complaint.
      if (!socket.destroyed || complaint === "") complaint ||= String(error);
    } finally {
      socket.destroy();
      if (exec) await hasStarted(exec, clock);
      if (exec) running.delete(exec);
    }
  };
  const port = await openLoopbackPort({
    wantedPort,
    serve: (socket) => void carry(socket.setNoDelay(true)),
    onError: (error) => log(`the port of a container: ${String(error)}`),
  });
  const hold = async (signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    try {
      await abortable(Promise.all([...running].map((exec) => hasStarted(exec, clock))), signal);
    } catch (error) {
      resolve();
      throw error;
    }
    return resolve;
  };
  return { ...port, hold, complaint: () => complaint.trim() };
}

/** Resolves when a program runs, or will not any more. Docker says that it has begun one before it has. Never rejects. */
async function hasStarted(exec: Exec, clock: Clock): Promise<void> {
  const ask = askIn(clock, ANSWER_TIMEOUT_MS);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { Pid, ExitCode } = await ask(() => exec.inspect()).catch(() => ({ Pid: 0, ExitCode: 0 }));
    if (Pid > 0 || ExitCode !== null) return;
    await clock.sleep(POLL_MS);
  }
}

/**
 * What a program prints comes in frames: what it is (1 output, 2 errors), three zeros, and its length in four bytes. Passes on the output,
 * and reports the errors; there are none once there is output.
 */
function frames(hear: (errors: string) => void): Transform {
  let header = Buffer.alloc(0);
  let left = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let rest = chunk; rest.length > 0;) {
        if (left === 0) {
          const missing = HEADER_BYTES - header.length;
          header = Buffer.concat([header, rest.subarray(0, missing)]);
          rest = rest.subarray(missing);
          if (header.length < HEADER_BYTES) break;
          left = header.readUInt32BE(4);
        }
        const part = rest.subarray(0, left);
        if (header[0] === STDERR) hear(part.toString());
        else if (part.length > 0) {
          hear("");
          this.push(part);
        }
        rest = rest.subarray(part.length);
        left -= part.length;
        if (left === 0) header = Buffer.alloc(0);
      }
      done();
    },
  });
}
