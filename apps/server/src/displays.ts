import { adbKeyIn } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import { Audit } from "./features/audit/audit.ts";
import { Refusals } from "./features/audit/refusals.ts";
import { openCapture } from "./features/captures/save-capture.ts";
import { accessTokens } from "./features/instances/access-tokens.ts";
import { DeviceActs } from "./features/instances/device-acts.ts";
import { displayAccess } from "./features/instances/display-access.ts";
import { replaceShowcase, showcaseAccess } from "./features/showcase/showcase-access.ts";
import { showcaseTickets } from "./features/showcase/showcase-tickets.ts";
import { createDisplayHost } from "./gateway/display-host.ts";
import { readScrcpyServer } from "./gateway/display/push-server.ts";
import type { Database } from "./database/schema.ts";
import { Cleanup } from "./platform/clean-up.ts";
import { openFileStore } from "./platform/files/open-file-store.ts";
import type { Metrics } from "./platform/metrics/metrics.ts";
import type { Logger } from "./platform/log.ts";
import { secretFor } from "./platform/secrets.ts";
import type { DisplayHost } from "./roles/gateway.ts";
import type { Settings } from "./settings.ts";

export interface DisplayHostOptions {
  settings: Settings;
  db: Database;
  clock: Clock;
  log: Logger;
  metrics?: Metrics | undefined;
  onUse: (instance: string) => void;
}

/** Creates the displays of a gateway, with access checks. */
export async function displayHostOf({
  settings,
  db,
  clock,
  log,
  metrics,
  onUse,
}: DisplayHostOptions): Promise<DisplayHost> {
  const tokens = accessTokens(await secretFor(db, "access-tokens"), clock);
  const tickets = showcaseTickets(await secretFor(db, "showcase-tickets"), clock);
  const ice = {
    udpPort: settings.media.port === 0 ? undefined : settings.media.port,
    bindAddress: settings.media.bindAddress,
    hostAddress: settings.media.address,
    reach: settings.media.reach,
  };
  const audit = new Audit({ clock, log });
  const refusals = new Refusals({ db, clock, log, audit });
  const acts = new DeviceActs({ db, clock, log, audit });
  const saving = { db, clock, audit, files: await openFileStore(settings), maxCaptureBytes: settings.maxCaptureBytes };
  const host = createDisplayHost({
    clock,
    log,
    authorize: displayAccess({ db, clock }, tokens),
    showcase: {
      authorize: showcaseAccess(db, tickets),
      replace: (instance) => replaceShowcase({ db, clock }, instance),
    },
    onRefused: ({ instanceUuid, address, reason }) =>
      refusals.note({
        action: "credential.use",
        by: { kind: "nobody", address },
        details: { credential: "display", reason, instance: instanceUuid },
      }),
    ice,
    onUse,
    maxFileBytes: settings.maxAppBytes,
    onAct: (grant, address, act) => acts.note(grant, address, act),
    openCapture: (start) => openCapture(saving, start),
    adbKey: adbKeyIn(settings.dataDir),
    scrcpyServer: settings.scrcpyServer ? await readScrcpyServer(settings.scrcpyServer) : undefined,
  });
  metrics?.gauge("terrarium_viewers", "Open sockets of viewers, also of those who wait for a device.", () => [
    { value: host.stats().viewers },
  ]);
  metrics?.gauge("terrarium_replay_bytes", "Video of the last 90 seconds of devices that is held in memory.", () => [
    { value: host.stats().replayBytes },
  ]);
  metrics?.gauge(
    "terrarium_adb_tunnels",
    "Connections of adb through tunnels, also of those who may come back.",
    () => [{ value: host.tunnelStats().tunnels }],
  );
  metrics?.gauge(
    "terrarium_adb_tunnel_bytes_total",
    "Bytes that passed through tunnels of adb.",
    () => {
      const { toDeviceBytes, fromDeviceBytes } = host.tunnelStats();
      return [
        { labels: { direction: "to_device" }, value: toDeviceBytes },
        { labels: { direction: "from_device" }, value: fromDeviceBytes },
      ];
    },
    "counter",
  );
  return {
    ...host,
    stop() {
      // Whatever fails to stop, what was noted is written.
      const cleanup = new Cleanup();
      cleanup.add(() => acts.stop());
      cleanup.add(() => refusals.stop());
      cleanup.add(() => host.stop());
      return cleanup.run();
    },
  };
}
