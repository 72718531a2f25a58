import type { AdbLink } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import type { WebSocket } from "ws";
import type { Logger } from "../platform/log.ts";
import { DeviceDirectory } from "./device-directory.ts";
import type { DisplaySource } from "./display/display-source.ts";
import { farewells } from "./farewell.ts";
import { type Authorize, type Grant, Viewer } from "./viewers/viewer.ts";
import { viewerSocket, type ViewerSocket } from "./viewers/viewer-socket.ts";
import type { CreatePeer } from "./viewers/viewer-peer.ts";
import { type IceSettings, WebRtcPeer } from "./viewers/web-rtc-peer.ts";
import { WatchedDevice } from "./watched-device.ts";

export interface GatewayDeps {
  clock: Clock;
  log: Logger;
  authorize: Authorize;
  ice?: IceSettings;
  /** Hears, at most once a second for each device, that somebody uses it. */
  onUse?: (instanceUuid: string) => void;
  /** How media connections are made; by default with libdatachannel. */
  createPeer?: CreatePeer;
}

export interface DeviceAccess {
  source: DisplaySource;
  shell: AdbLink["shell"];
}

export interface DeviceStats {
  viewers: number;
  /** Access units that came from the device. */
  units: number;
}

export interface GatewayStats {
  devices: Record<string, DeviceStats>;
  /** Everybody with an open socket, those that wait for a device included. */
  viewers: number;
  /** Access units that went to viewers, and those that were left out for viewers that had fallen behind. */
  sent: number;
  skipped: number;
}

/** Stands between viewers and devices. */
export interface Gateway {
  /** Lets viewers in. A display that ends by itself takes its device out; its viewers come back when it is added again. */
  addDevice(instanceUuid: string, access: DeviceAccess): void;
  /** `ended`: viewers are told that the device is over. `lost`: that it will be back. The display stays its owner's to close. */
  removeDevice(instanceUuid: string, why: "ended" | "lost"): void;
  /** Serves a viewer until it leaves; the socket is accepted and nobody has read from it. */
  acceptViewer(instanceUuid: string, socket: WebSocket): void;
  /** As `acceptViewer`, for a socket of any kind. */
  acceptSocket(instanceUuid: string, socket: ViewerSocket): void;
  /** Cuts off at once those viewers whose grant is no longer good. They are told that their token no longer is. */
  cutOff(whose: (grant: Grant) => boolean): void;
  /** Of those who watch now. */
  grants(): Grant[];
  stats(): GatewayStats;
  /** Sends everybody away and resolves when all they held is free. */
  stop(): Promise<void>;
}

export function createGateway(deps: GatewayDeps): Gateway {
  const { clock, log, authorize, ice = {} } = deps;
  const directory = new DeviceDirectory(clock);
  const viewers = new Map<Viewer, { instanceUuid: string; done: Promise<void> }>();
  const createPeer: CreatePeer = deps.createPeer ?? ((events) => new WebRtcPeer(events, ice));
  const total = { sent: 0, skipped: 0 };

  const acceptSocket = (instanceUuid: string, socket: ViewerSocket): void => {
    const viewer = new Viewer(socket, {
      instanceUuid,
      clock,
      log,
      authorize,
      findDevice: (signal) => directory.find(instanceUuid, signal),
      createPeer,
    });
    const done = viewer.run().finally(() => {
      viewers.delete(viewer);
      total.sent += viewer.units.sent;
      total.skipped += viewer.units.skipped;
    });
    viewers.set(viewer, { instanceUuid, done });
  };

  return {
    addDevice(instanceUuid, { source, shell }) {
      directory.get(instanceUuid)?.stop(farewells.displayLost());
      const onUse = () => deps.onUse?.(instanceUuid);
      const device = new WatchedDevice({ source, shell, clock, log, onUse });
      const lose = () => {
        directory.remove(instanceUuid, device);
        device.stop(farewells.displayLost());
      };
      directory.add(instanceUuid, device);
      if (source.gone.aborted) lose();
      else source.gone.addEventListener("abort", lose, { once: true });
    },

    removeDevice(instanceUuid, why) {
      const farewell = why === "ended" ? farewells.deviceEnded() : farewells.displayLost();
      const device = directory.get(instanceUuid);
      if (device) directory.remove(instanceUuid, device);
      device?.stop(farewell);
      if (why === "ended") directory.end(instanceUuid);
    },

    acceptViewer: (instanceUuid, socket) => acceptSocket(instanceUuid, viewerSocket(socket)),
    acceptSocket,

    cutOff(whose) {
      for (const viewer of viewers.keys())
        if (viewer.grant && whose(viewer.grant)) viewer.end(farewells.expiredToken());
    },

    grants: () => [...viewers.keys()].flatMap(({ grant }) => grant ?? []),

    stats() {
      const now = [...viewers.keys()].map((viewer) => viewer.units);
      return {
        devices: Object.fromEntries(
          [...directory.entries()].map(([uuid, { viewers, display }]) => [uuid, { viewers, units: display.units }]),
        ),
        viewers: viewers.size,
        sent: now.reduce((sum, { sent }) => sum + sent, total.sent),
        skipped: now.reduce((sum, { skipped }) => sum + skipped, total.skipped),
      };
    },

    async stop() {
      for (const viewer of viewers.keys()) viewer.end(farewells.serverStopping());
      for (const [uuid, device] of directory.entries()) {
        directory.remove(uuid, device);
        device.stop(farewells.serverStopping());
      }
      await Promise.all([...viewers.values()].map(({ done }) => done));
    },
  };
}
