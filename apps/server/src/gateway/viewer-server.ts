import type { AdbLink } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import type { MachineConsole } from "@terrarium/runtime";
import { AppError } from "@terrarium/contract";
import type { WebSocket } from "ws";
import { AnonymousConnections } from "../platform/http/anonymous-connections.ts";
import type { DeviceAct } from "../features/instances/device-acts.ts";
import type { Logger } from "../platform/log.ts";
import type { OpenCapture } from "./captures/recorder.ts";
import type { DisplaySource } from "./display/display-source.ts";
import { farewells } from "./farewell.ts";
import { Onlooker } from "./miniatures/onlooker.ts";
import type { OpenMiniature } from "./miniatures/miniature.ts";
import { ShowcaseVisitor } from "./showcase/showcase-visitor.ts";
import type { ByteConnection } from "../platform/websocket/byte-socket.ts";
import type { AppLink } from "./apps/install-app.ts";
import type { DevicePipe } from "./tunnels/device-pipe.ts";
import type { ToolLink } from "./tools/tool.ts";
import { VideoRoom } from "./replay/recorded-video.ts";
import { ServedDevices } from "./served-devices.ts";
import { ToolVisitor } from "./tools/tool-visitor.ts";
import { TunnelVisitor } from "./tunnels/tunnel-visitor.ts";
import { Tunnels, type TunnelStats } from "./tunnels/tunnels.ts";
import { UploadVisitor } from "./uploads/upload-visitor.ts";
import { Uploads } from "./uploads/uploads.ts";
import { Viewer } from "./viewers/viewer.ts";
import { viewerSocket, type ViewerSocket } from "./viewers/viewer-socket.ts";
import type { Authorize, Grant, Visitor, VisitorDeps } from "./viewers/visitor.ts";
import { NetworkTalk } from "./viewers/network-talk.ts";
import type { CreatePeer } from "./viewers/viewer-peer.ts";
import { type IceSettings, WebRtcPeer } from "./viewers/web-rtc-peer.ts";
import { WatchedDevice } from "./watched-device.ts";

/** Of those who wait for a device, as many have their browsers connect meanwhile. */
const MAX_PREPARING = 16;
const DEFAULT_MAX_FILE_BYTES = 2 * 1024 ** 3;

export interface ViewerServerDeps {
  clock: Clock;
  log: Logger;
  authorize: Authorize;
  /** Reads the tickets for the device that is shown to everybody, and has another take its place. Without it nobody comes for that. */
  showcase?: { authorize: Authorize; replace: (instanceUuid: string) => Promise<void> } | undefined;
  /** Called when a viewer's token was refused. */
  onRefused?: (refused: RefusedViewer) => void;
  ice?: IceSettings;
  /** Called while somebody uses a device, at most once a second. */
  onUse?: (instanceUuid: string) => void;
  /** The largest file that somebody may bring. */
  maxFileBytes?: number;
  /** Called when somebody has done something to a device that is to be known later. */
  onAct?: (grant: Grant, address: string, act: DeviceAct) => void;
  /** Makes room for a capture of a device; without it nothing can be captured. */
  openCapture?: OpenCapture | undefined;
  /** Makes media connections; by default with libdatachannel. */
  createPeer?: CreatePeer;
}

export interface RefusedViewer {
  instanceUuid: string;
  address: string;
  reason: "wrong" | "expired";
}

interface DeviceAccess {
  source: DisplaySource;
  shell: AdbLink["shell"];
  /** The console of an emulator; it may not answer. */
  console?: MachineConsole | undefined;
  openMiniature: OpenMiniature;
  openShowcase: OpenMiniature;
  /** Connects to its adb; without it nobody comes through a tunnel. */
  dial?: () => DevicePipe;
  /** What takes files; without it nobody brings any. */
  files?: AppLink;
  /** What tools work with; without it there are none. */
  tools?: ToolLink;
}

/** What a socket is for: to use a device, to look at its miniature, or to see and touch what is shown to everybody. */
export type Errand = "player" | "miniature" | "showcase";

/** What a socket with many bytes is for: to use a device's adb, to bring files, or for a tool beside the screen. */
export type Freight = "adb" | "upload" | "tools";

interface DeviceStats {
  viewers: number;
  /** Access units received from the device. */
  units: number;
}

interface ViewerServerStats {
  devices: Record<string, DeviceStats>;
  /** Open sockets, including those that wait for a device. */
  viewers: number;
  /** Access units sent to viewers, and those skipped because a viewer had fallen behind. */
  sent: number;
  skipped: number;
  /** What the videos of the last 90 s of all devices take. */
  replayBytes: number;
}

/** Serves the viewers of this process's devices. */
export interface ViewerServer {
  /** Lets viewers in. A display that ends by itself removes its device; viewers reconnect when it is added again. */
  addDevice(instanceUuid: string, access: DeviceAccess): void;
  /**
   * Notifies viewers. `ended`: the device is over. `lost`: it will be back, unless it ends within a second. Closing the display is left to
   * its owner.
   */
  removeDevice(instanceUuid: string, why: "ended" | "lost"): void;
  /** Serves a viewer, who connects from `address`, until it leaves. The socket must be accepted and unread. */
  acceptViewer(instanceUuid: string, socket: WebSocket, address: string, errand?: Errand): void;
  /** As `acceptViewer`, for a socket of any kind. */
  acceptSocket(instanceUuid: string, socket: ViewerSocket, address: string, errand?: Errand): void;
  /** As `acceptSocket`, for bytes; `token` came with the request. */
  acceptBytes(instanceUuid: string, socket: ByteConnection, address: string, freight: Freight, token?: string): void;
  /** Resolves once somebody waits for a device that is not there, or watched it until now; rejects with the signal's reason. */
  wanted(instanceUuid: string, signal: AbortSignal): Promise<void>;
  /** Waits 15 s for a device that is not there, and rejects then, or with the signal's reason. */
  findDevice(instanceUuid: string, signal: AbortSignal): Promise<WatchedDevice>;
  /** Disconnects at once the viewers whose grant has ended, with the reason that their token has expired. */
  cutOff(whose: (grant: Grant) => boolean): void;
  /** Lets viewers touch their device from now on, or only watch. */
  setControl(whose: (grant: Grant) => boolean, canControl: boolean): void;
  /** The grants of everyone watching now. */
  grants(): Grant[];
  stats(): ViewerServerStats;
  tunnelStats(): TunnelStats;
  /** Disconnects everyone and resolves when everything is freed. */
  stop(): Promise<void>;
}

export function createViewerServer(deps: ViewerServerDeps): ViewerServer {
  const { clock, log, authorize, onRefused, ice = {} } = deps;
  const devices = new ServedDevices(clock);
  const { directory } = devices;
  const viewers = new Map<Visitor, { instanceUuid: string; done: Promise<void> }>();
  const createPeer: CreatePeer = deps.createPeer ?? ((events) => new WebRtcPeer(events, ice));
  const anonymous = new AnonymousConnections();
  const talk = new NetworkTalk();
  const total = { sent: 0, skipped: 0 };
  const tunnels = new Tunnels(clock);
  const videoRoom = new VideoRoom();
  const { maxFileBytes: maxBytes = DEFAULT_MAX_FILE_BYTES } = deps;
  const uploads = new Uploads({ clock, maxBytes });
  /** Recordings that run, and captures that are on their way to the file store. */
  const savings = new Set<Promise<unknown>>();

  /** Serves whom `make` makes of a socket until they leave. */
  const admit = (
    instanceUuid: string,
    socket: Pick<ViewerSocket, "terminate">,
    address: string,
    make: (deps: VisitorDeps) => Visitor,
  ): void => {
    const authenticated = anonymous.add(address, () => socket.terminate());
    const talking = talk.join(address);
    const viewer = make({
      instanceUuid,
      networkTalk: talking.budget,
      onAct: (grant, act) => deps.onAct?.(grant, address, act),
      onAuthenticated: authenticated,
      onRefused: (reason) => onRefused?.({ instanceUuid, address, reason }),
      clock,
      log,
      authorize,
      isAwaited: () => !directory.get(instanceUuid) && directory.waiting(instanceUuid) < MAX_PREPARING,
      findDevice: (signal) => directory.find(instanceUuid, signal),
    });
    const done = viewer.run().finally(() => {
      viewers.delete(viewer);
      authenticated();
      talking.leave();
      total.sent += viewer.units.sent;
      total.skipped += viewer.units.skipped;
    });
    viewers.set(viewer, { instanceUuid, done });
  };

  const acceptSocket: ViewerServer["acceptSocket"] = (instanceUuid, socket, address, errand = "player") => {
    const candidates = { reach: ice.reach ?? "public", viewer: address };
    // What a token was issued for is all that it opens.
    const showcase = deps.showcase?.authorize ?? (async () => "wrong");
    const visitors: Record<Errand, (deps: VisitorDeps) => Visitor> = {
      player: (visitor) => new Viewer(socket, { ...visitor, candidates, createPeer }),
      miniature: (visitor) => new Onlooker(socket, visitor),
      showcase: (visitor) => new ShowcaseVisitor(socket, { ...visitor, authorize: showcase }),
    };
    admit(instanceUuid, socket, address, visitors[errand]);
  };

  return {
    addDevice(instanceUuid, { source, ...access }) {
      const onUse = () => deps.onUse?.(instanceUuid);
      const replace = async () => deps.showcase?.replace(instanceUuid);
      const { openCapture } = deps;
      const onSaving = (saving: Promise<unknown>) => {
        // A failure is reported to whoever asked for it.
        const over: Promise<void> = saving.then(
          () => void savings.delete(over),
          () => void savings.delete(over),
        );
        savings.add(over);
      };
      const captures = { openCapture, onSaving };
      const device = new WatchedDevice({ source, ...access, ...captures, videoRoom, clock, log, onUse, replace });
      devices.add(instanceUuid, device);
    },

    removeDevice(instanceUuid, why) {
      if (why === "lost") return devices.lose(instanceUuid);
      devices.end(instanceUuid);
      tunnels.close((tunnel) => tunnel.instanceUuid === instanceUuid, farewells.deviceEnded());
      uploads.forget(instanceUuid);
    },

    acceptViewer: (instanceUuid, socket, ...more) => acceptSocket(instanceUuid, viewerSocket(socket), ...more),
    acceptSocket,
    acceptBytes(instanceUuid, socket, address, freight, token) {
      const visitors: Record<Freight, (deps: VisitorDeps) => Visitor> = {
        adb: (visitor) => new TunnelVisitor(socket, { ...visitor, tunnels, token }),
        upload: (visitor) => new UploadVisitor(socket, { ...visitor, uploads, token }),
        tools: (visitor) => new ToolVisitor(socket, visitor),
      };
      admit(instanceUuid, socket, address, visitors[freight]);
    },

    wanted: (instanceUuid, signal) => devices.wanted(instanceUuid, signal),
    findDevice: (instanceUuid, signal) => directory.find(instanceUuid, signal),

    cutOff(whose) {
      for (const viewer of viewers.keys())
        if (viewer.grant && whose(viewer.grant)) viewer.end(farewells.expiredToken());
      // Also those whose client has lost its network.
      tunnels.close(({ grant }) => whose(grant), farewells.expiredToken());
      uploads.abort(({ grant }) => whose(grant), new AppError("INSTANCE_NOT_ALLOWED"));
    },

    setControl(whose, canControl) {
      for (const viewer of viewers.keys()) if (viewer.grant && whose(viewer.grant)) viewer.setControl(canControl);
    },

    grants: () => [
      ...[...viewers.keys()].flatMap(({ grant }) => grant ?? []),
      ...tunnels.grants(),
      ...uploads.grants(),
    ],

    stats() {
      const now = [...viewers.keys()].map((viewer) => viewer.units);
      return {
        devices: Object.fromEntries(
          [...directory.entries()].map(([uuid, { viewers, display }]) => [uuid, { viewers, units: display.units }]),
        ),
        viewers: viewers.size,
        sent: now.reduce((sum, { sent }) => sum + sent, total.sent),
        skipped: now.reduce((sum, { skipped }) => sum + skipped, total.skipped),
        replayBytes: videoRoom.bytes,
      };
    },

    tunnelStats: () => tunnels.stats(),

    async stop() {
      for (const viewer of viewers.keys()) viewer.end(farewells.serverStopping());
      tunnels.close(() => true, farewells.serverStopping());
      uploads.stop();
      devices.stop();
      await Promise.all([...[...viewers.values()].map(({ done }) => done), ...savings]);
    },
  };
}
