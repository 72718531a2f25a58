import { type Client, isAway } from "@terrarium/sdk";
import { adbConnect, runAdb } from "./adb-binary.ts";
import { Failure, failureOf } from "./failures.ts";
import type { Terminal } from "./terminal.ts";
import { openDeviceTunnel } from "./tunnel.ts";
import { claimTunnel, removeTunnel, type Tunnel, writeTunnel } from "./tunnels.ts";

/** How often a tunnel looks whether its device is there still, and whether the adb server knows it: somebody may have restarted it. */
const LOOK_MS = 5_000;
/** For how long a failure stands where whoever waits for the tunnel reads it. */
const FAILURE_MS = 1_000;

interface TunnelOptions {
  client: Client;
  uuid: string;
  port?: number;
  terminal: Terminal;
  /** Called with what changes, in a sentence. */
  say: (line: string) => void;
}

/**
 * Holds a tunnel open until the device ends or the signal aborts, and writes its state for other commands. Throws a Failure if it cannot be
 * opened, or adb does not reach the device at first.
 */
export async function holdTunnel({ client, uuid, port, terminal, say }: TunnelOptions): Promise<void> {
  const { clock, signal } = terminal;
  let tunnel: Tunnel = {
    uuid,
    pid: process.pid,
    port: port ?? 0,
    serial: "",
    state: "PENDING",
    problem: "",
    exit: "NO_ERROR",
  };
  if (!(await claimTunnel(terminal, tunnel)))
    throw new Failure("INSTANCE_ERROR", "The device is being connected already.");
  const update = (changes: Partial<Tunnel>) => writeTunnel(terminal, (tunnel = { ...tunnel, ...changes }));
  try {
    const opened = await openDeviceTunnel({ client, uuid, env: terminal.env, port, report: say });
    const serial = `${opened.host}:${opened.port}`;
    try {
      await adbConnect(terminal, serial);
      say(`${serial} is connected.`);
      await update({ port: opened.port, serial, state: "CONNECTED" });
      while (!signal.aborted && (await isOnline(client, uuid, signal))) {
        await clock.sleep(LOOK_MS, signal).catch(() => undefined);
        await update({});
        if (!signal.aborted)
          await adbConnect(terminal, serial).catch((error: unknown) => say(failureOf(error).message));
      }
    } finally {
      await runAdb(terminal, "disconnect", serial).catch(() => undefined);
      await opened.close();
    }
  } catch (error) {
    const { message, exit } = failureOf(error);
    await update({ state: "FAILED", problem: message, exit });
    await clock.sleep(FAILURE_MS, signal).catch(() => undefined);
    throw error;
  } finally {
    await removeTunnel(terminal, uuid);
  }
}

/** Also true while the service cannot be asked. */
const isOnline = (client: Client, uuid: string, signal: AbortSignal): Promise<boolean> =>
  client.instances.get({ params: { uuid } }, { signal, retries: 0 }).then(({ state }) => state === "ONLINE", isAway);
