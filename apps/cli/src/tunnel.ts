import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { openTunnel, type OpenTunnel } from "@terrarium/adb-tunnel/client";
import type { Client } from "@terrarium/sdk";
import { connect } from "node:net";
import { Failure } from "./failures.ts";
import { socketOptions } from "./proxy.ts";
import type { Terminal } from "./terminal.ts";

interface TunnelTo {
  client: Client;
  uuid: string;
  /** Says whether there is a proxy on the way. */
  env: Terminal["env"];
  port?: number;
  report?: (problem: string) => void;
}

/**
 * A port of this machine that leads to the adb of a device. Throws a Failure if the device is not online or the port is taken, and what the
 * service refuses it with.
 */
export async function openDeviceTunnel({ client, uuid, env, port, report }: TunnelTo): Promise<OpenTunnel> {
  const { adb_url: url, state } = await client.instances.get({ params: { uuid } });
  if (state !== "ONLINE") throw new Failure("INSTANCE_NOT_READY", `The device ${uuid} is ${state}, not ONLINE.`);
  const ask = async () => (await client.instances.accessToken({ body: { instance_uuid: uuid } })).access_token;
  // The first before anything connects: a refusal is no lost network.
  let first: string | undefined = await ask();
  const token = async () => {
    const held = first;
    first = undefined;
    return held ?? ask();
  };
  try {
    return await openTunnel({ url, token, port, report, socket: socketOptions(url, env) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE")
      throw new Failure("ADB_TUNNEL_PORT_BUSY", `The port ${port} is taken. Choose another with --adb-serial-port.`);
    throw error;
  }
}

/** Works with the adb of a device, without an adb of this machine. */
export async function withAdb<Result>(
  { client, uuid, terminal }: { client: Client; uuid: string; terminal: Pick<Terminal, "env" | "signal"> },
  work: (link: AdbLink) => Promise<Result>,
): Promise<Result> {
  const { env, signal } = terminal;
  const problems: string[] = [];
  const tunnel = await openDeviceTunnel({ client, uuid, env, report: (problem) => problems.push(problem) });
  try {
    const link = await connectAdb(nodeSocketDuplex(connect(tunnel.port, tunnel.host)), { signal });
    try {
      return await work(link);
    } finally {
      link.close();
    }
  } catch (error) {
    if (signal.aborted) throw new Failure("INTERRUPTED", "Interrupted.");
    if (problems.length > 0)
      throw new Failure("NETWORK_ERROR", "The connection to the device was lost.", problems.at(-1));
    throw error;
  } finally {
    await tunnel.close();
  }
}
