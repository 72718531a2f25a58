import type { Command } from "commander";
import { type ChildProcess, spawn } from "node:child_process";
import { adbConnect, runAdb } from "../adb-binary.ts";
import type { Cli } from "../cli.ts";
import { Failure } from "../failures.ts";
import { integer } from "../given.ts";
import { holdTunnel } from "../hold-tunnel.ts";
import type { Terminal } from "../terminal.ts";
import { findTunnel, removeTunnel } from "../tunnels.ts";

/** Within which a tunnel has to be open, and adb to have the device. */
const CONNECT_MS = 40_000;
const LOOK_MS = 100;

interface ConnectOptions {
  adbSerialPort?: number;
  foreground: boolean;
}

export function addAdb(group: Command, cli: Cli): void {
  const { terminal } = cli;

  group
    .command("adbconnect <uuid>")
    .description("a port of this machine that leads to the device's adb, connected to the adb server")
    .option("--adb-serial-port <port>", "which port; otherwise any that is free", integer(1024, 65_535))
    .option("--foreground", "keep it open in this process, until it is interrupted", false)
    .action(async (uuid: string, { adbSerialPort: port, foreground }: ConnectOptions) => {
      const { client, environment } = await cli.connect();
      const open = await findTunnel(terminal, uuid);
      if (open && port !== undefined && open.port !== port)
        throw new Failure("ADB_TUNNEL_RUNNING_ON_DIFFERENT_PORT", `The device is connected as ${open.serial} already.`);
      if (!open) await runAdb(terminal, "version");
      if (foreground && !open) return holdTunnel({ client, uuid, port, terminal, say: (line) => cli.print.note(line) });
      const env = { ...terminal.env, ...environment, TERRARIUM_CONFIG_HOME: terminal.folder };
      const holder = open ? undefined : startHolder(uuid, port, env);
      const { serial } = await untilConnected(terminal, uuid, holder);
      // Whoever has restarted the adb server in between has not lost it.
      await adbConnect(terminal, serial);
      cli.print.say(serial, { instance: { uuid, adb_serial: serial } });
    });

  group
    .command("adbdisconnect <uuid>")
    .description("close that port")
    .action(async (uuid: string) => {
      await closeTunnel(terminal, uuid);
      cli.print.say("Disconnected.", { instance: { uuid, adb_serial: null } });
    });
}

/** This program again, on its own, so that the tunnel outlives the command. */
function startHolder(uuid: string, port: number | undefined, env: NodeJS.ProcessEnv): ChildProcess {
  const words = ["instances", "adbconnect", uuid, "--foreground", ...(port ? ["--adb-serial-port", String(port)] : [])];
  const holder = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...words], {
    detached: true,
    stdio: "ignore",
    env,
  });
  holder.unref();
  return holder;
}

async function untilConnected(terminal: Terminal, uuid: string, holder: ChildProcess | undefined) {
  const { clock, signal } = terminal;
  const deadline = clock.monotonic() + CONNECT_MS;
  for (;;) {
    const hasEnded = typeof holder?.exitCode === "number";
    const tunnel = await findTunnel(terminal, uuid);
    if (tunnel?.state === "CONNECTED") return tunnel;
    if (tunnel?.state === "FAILED") throw new Failure(tunnel.exit, tunnel.problem);
    // It has found no way to say why: there is no room for its files, for instance.
    if (!tunnel && hasEnded)
      throw new Failure("DEFAULT_ERROR", "The tunnel has ended at once. With --foreground it says why.");
    if (clock.monotonic() > deadline) throw new Failure("ADB_TUNNEL_TIMEOUT", "The tunnel did not open in time.");
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Ends the tunnel of a device, if there is one, and takes it from the adb server. */
export async function closeTunnel(terminal: Terminal, uuid: string): Promise<void> {
  const tunnel = await findTunnel(terminal, uuid);
  if (!tunnel) return;
  await runAdb(terminal, "disconnect", tunnel.serial).catch(() => undefined);
  try {
    process.kill(tunnel.pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
  await removeTunnel(terminal, uuid);
}
