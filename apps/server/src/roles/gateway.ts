import { type Clock, every } from "@terrarium/clock";
import type { InstanceState, Possibility } from "@terrarium/contract";
import type { DeviceRuntime, Machine } from "@terrarium/runtime";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Supervisor } from "../features/instances/supervisor.ts";
import { BEAT_MS, deleteGateway, upsertGateway, writeFound } from "../features/instances/gateways.ts";
import type { DeviceLink } from "../features/instances/live-device.ts";
import { INSTANCE_CHANGED } from "../features/instances/move-instance.ts";
import { type ParticipantHolder, watchParticipants } from "../features/live-sessions/watch-participants.ts";
import { type Holder, watchCredentials } from "../features/sessions/watch-credentials.ts";
import { Cleanup } from "../platform/clean-up.ts";
import type { Database } from "../database/schema.ts";
import { listen } from "../platform/db/listen.ts";
import type { Logger } from "../platform/log.ts";

/** How often the machine is looked at again. */
const LOOK_MS = 60_000;

/** States in which there is nothing left to watch. */
const endings = new Set(["STOPPING", "DELETING", "DELETED", "ERROR", "REVOKED", "EXPIRED"]);

/** Opens the displays of machines that answer adb, and serves their viewers. */
export interface DisplayHost extends Holder, ParticipantHolder {
  connect(instance: string, machine: Machine, signal: AbortSignal): Promise<DeviceLink>;
  /** The device has ended: disconnects whoever watches or waits for it. */
  ended(instance: string): void;
  /** Serves the sockets of viewers, and takes apps, on an HTTP server. */
  serve(server: ReturnType<typeof createServer>): void;
  stop(): Promise<void>;
}

export interface GatewayRoleDeps {
  db: Database;
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  runtimes: DeviceRuntime[];
  /** Names this gateway in leases; a restart under the same name takes its devices back. */
  name: string;
  host: string;
  port: number;
  /** `host:port` at which the api reaches it; `host` and `port` by default. */
  address: string | undefined;
  /** Those that its machines are in; null for all. */
  zones?: readonly string[] | null;
  /** The longest that a device runs without its gateway. */
  keepDevicesMs: number;
  /** What the machine could run Android with. */
  lookAtMachine?(): Promise<Possibility[]>;
  /** `onUse` is called while somebody uses a device. */
  displays(onUse: (instance: string) => void): DisplayHost | Promise<DisplayHost>;
}

export interface GatewayRole {
  /** With `endDevices` all devices are stopped first; otherwise they keep running for the next gateway. */
  stop(options: { endDevices: boolean }): Promise<void>;
}

/** Supervises devices and serves their viewers. */
export async function startGateway(deps: GatewayRoleDeps): Promise<GatewayRole> {
  const { db, databaseUrl, clock, log, name } = deps;
  const cleanup = new Cleanup();
  const end = new AbortController();

  // Apps may take long to arrive; the api limits how long.
  const server = createServer({ requestTimeout: 0 });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(deps.port, deps.host, resolve));
  cleanup.add(() => new Promise((resolve) => server.close(resolve)));
  const host = deps.host.includes(":") ? `[${deps.host}]` : deps.host;
  const address = deps.address ?? `${host}:${(server.address() as AddressInfo).port}`;
  const register = () => upsertGateway(db, name, address, deps.zones);
  await register();
  cleanup.add(() => deleteGateway(db, name, address));

  const supervisor: Supervisor = new Supervisor({
    db,
    clock,
    log,
    holder: name,
    zones: deps.zones ?? null,
    keepDevicesMs: deps.keepDevicesMs,
    runtimes: new Map(deps.runtimes.map((runtime) => [runtime.name, runtime])),
    connect: (instance, machine, signal) => displays.connect(instance, machine, signal),
  });
  const displays = await deps.displays((instance) => supervisor.used(instance));
  displays.serve(server);
  let finding: Promise<unknown> = Promise.resolve();
  // A runtime may find devices for as long as it is not closed.
  cleanup.add(() => finding);
  for (const runtime of deps.runtimes) cleanup.add(() => runtime.close());
  cleanup.add(() => displays.stop());

  const changes = await listen(
    databaseUrl,
    INSTANCE_CHANGED,
    (payload) => {
      const { uuid, state } = JSON.parse(payload) as { uuid: string; state: InstanceState };
      supervisor.changed(uuid, state);
      if (endings.has(state)) displays.ended(uuid);
    },
    { clock, signal: end.signal, onReconnect: () => supervisor.lookNow() },
  );
  const watch = { db, databaseUrl, clock, log, signal: end.signal };
  const credentials = await watchCredentials(watch, displays);
  const participants = await watchParticipants(watch, displays);
  const tryToRegister = () =>
    register().catch((error: unknown) => log.error({ err: error }, "the gateway could not register its address"));
  const registering = every(clock, BEAT_MS, tryToRegister, end.signal);
  let machine: Possibility[] = [];
  const look = async (): Promise<void> => {
    machine = (await deps.lookAtMachine?.()) ?? [];
  };
  const find = async (): Promise<void> => {
    const found = deps.runtimes.map(async (runtime) =>
      ((await runtime.found?.()) ?? []).map((device) => ({ ...device, runtime: runtime.name })),
    );
    await writeFound(db, name, { machine, devices: (await Promise.all(found)).flat() });
  };
  const tryToFind = () =>
    find().catch((error: unknown) => log.error({ err: error }, "the gateway could not tell what it has found"));
  // Most runtimes have nothing to find.
  const finds = deps.lookAtMachine !== undefined || deps.runtimes.some(({ found }) => found);
  if (finds)
    finding = Promise.all([every(clock, BEAT_MS, tryToFind, end.signal), every(clock, LOOK_MS, look, end.signal)]);
  void look();
  cleanup.add(async () => {
    end.abort();
    await Promise.all([changes.stopped, credentials.stopped, participants.stopped, registering]);
  });
  // Not awaited: a device that starts earlier prepares the runtime itself.
  for (const runtime of deps.runtimes)
    runtime.prepare?.().catch((error: unknown) => log.warn({ err: error }, "a runtime could not be prepared"));
  await supervisor.start();
  return {
    async stop({ endDevices }) {
      await supervisor.stop({ endDevices });
      if (endDevices) for (const runtime of deps.runtimes) await runtime.shutdown?.();
      await cleanup.run();
    },
  };
}
