import { AppError, type Client } from "@terrarium/sdk";
import { adbConnect, runAdb } from "./adb-binary.ts";
import { failureOf } from "./failures.ts";
import type { Terminal } from "./terminal.ts";
import { openDeviceTunnel } from "./tunnel.ts";
import { removeTunnel, type Tunnel, writeTunnel } from "./tunnels.ts";

/** How often a tunnel looks whether its device is there still, and whether the adb server knows it: somebody may have restarted it. */
const LOOK_MS = 5_000;

interface Keep {
  client: Client;
  uuid: string;
  port?: number;
  terminal: Terminal;
  /** Told what changes, in a sentence. */
  say: (line: string) => void;
}

/** Keeps a tunnel open until the device ends or the signal aborts, and writes its state for other commands. */
export async function keepTunnel({ client, uuid, port, terminal, say }: Keep): Promise<void> {
  const { clock, signal } = terminal;
  const tell = (state: Tunnel["state"], at: { port: number; serial: string }, problem = "") =>
    writeTunnel(terminal, { uuid, pid: process.pid, ...at, state, problem });
  let opened: Awaited<ReturnType<typeof openDeviceTunnel>>;
  try {
    opened = await openDeviceTunnel({ client, uuid, port, report: say });
  } catch (error) {
    await failed(failureOf(error).message);
    throw error;
  }
  const serial = `${opened.host}:${opened.port}`;
  const at = { port: opened.port, serial };
  try {
    await tell("PENDING", at);
    let isConnected = false;
    while (!signal.aborted && (await isOnline(client, uuid))) {
      const problem = await adbConnect(terminal, serial).then(
        () => "",
        (error: unknown) => failureOf(error).message,
      );
      if (!problem !== isConnected) say(problem || `${serial} is connected.`);
      isConnected = !problem;
      await tell(isConnected ? "CONNECTED" : "FAILED", at, problem);
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
  } finally {
    await removeTunnel(terminal, uuid);
    await runAdb(terminal, "disconnect", serial).catch(() => undefined);
    await opened.close();
  }

  /** For whoever waits for it; this process is about to end. */
  async function failed(problem: string) {
    await tell("FAILED", { port: port ?? 0, serial: "" }, problem);
    await clock.sleep(1_000, signal).catch(() => undefined);
    await removeTunnel(terminal, uuid);
  }
}

/** Also while the network is away. */
async function isOnline(client: Client, uuid: string): Promise<boolean> {
  try {
    return (await client.instances.get({ params: { uuid } })).state === "ONLINE";
  } catch (error) {
    return error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";
  }
}
