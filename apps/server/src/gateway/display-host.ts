import { type KeySource, watchLink } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import type { Machine } from "@terrarium/runtime";
import type { IncomingMessage, Server } from "node:http";
import { WebSocketServer } from "ws";
import type { DeviceLink } from "../features/instances/live-device.ts";
import type { HeldParticipant } from "../features/live-sessions/watch-participants.ts";
import { appsPath, scenarioPath, visitPath } from "../features/instances/visit-path.ts";
import { CLIENT_ADDRESS_HEADER } from "../platform/http/proxy-upgrades.ts";
import type { Logger } from "../platform/log.ts";
import { acceptByteSocket } from "../platform/websocket/byte-socket.ts";
import { AppServer } from "./apps/app-server.ts";
import { linkTo, untilBooted } from "./device-link.ts";
import type { StreamShape } from "./display/display-source.ts";
import { displayOpener } from "./display/display-opener.ts";
import type { ScrcpyServer } from "./display/push-server.ts";
import { miniatureOptions } from "./miniatures/miniature.ts";
import { showcaseOptions } from "./showcase/showcase.ts";
import { RestingSource } from "./display/resting-source.ts";
import { ScenarioServer } from "./scenarios/scenario-server.ts";
import { openDevicePipe } from "./tunnels/device-pipe.ts";
import {
  createViewerServer,
  type Errand,
  type Freight,
  type RefusedViewer,
  type ViewerServerDeps,
} from "./viewer-server.ts";
import type { Authorize, Grant } from "./viewers/visitor.ts";
import type { IceSettings } from "./viewers/web-rtc-peer.ts";

/** Signalling messages are a few kilobytes; the longest is an offer with many candidates. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Browsers send such messages whole. Each part holds on to all of the chunk that it came in. */
const MAX_FRAGMENTS = 16;

export interface DisplayHostDeps {
  clock: Clock;
  log: Logger;
  authorize: Authorize;
  onRefused?: ((refused: RefusedViewer) => void) | undefined;
  ice: IceSettings;
  maxFileBytes?: number;
  onAct?: ViewerServerDeps["onAct"];
  showcase?: ViewerServerDeps["showcase"];
  openCapture?: ViewerServerDeps["openCapture"];
  onUse: (instance: string) => void;
  /** The key by which devices that ask for one know this installation. */
  adbKey?: KeySource;
  /** For devices that do not bring one along. */
  scrcpyServer?: ScrcpyServer | undefined;
}

const isOf = ({ instanceUuid, user, role }: Grant, who: HeldParticipant): boolean =>
  instanceUuid === who.instance && user === who.user && role === "participant";

/** Links to this process's machines, opens their displays, and serves their viewers. */
export function createDisplayHost({ adbKey, scrcpyServer, ...deps }: DisplayHostDeps) {
  const { clock, log } = deps;
  const viewers = createViewerServer(deps);
  const apps = new AppServer(deps);
  const scenarios = new ScenarioServer({ ...deps, find: viewers.findDevice });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: MAX_FRAGMENTS,
    perMessageDeflate: false,
    handleProtocols: () => false,
  });

  return {
    async connect(instance: string, machine: Machine, signal: AbortSignal): Promise<DeviceLink> {
      const link = await linkTo(machine.adb, clock, signal, adbKey);
      void watchLink(link, clock);
      let noMoreApps: (() => void) | undefined;
      return {
        gone: link.gone,
        async booted(booting) {
          await untilBooted(link, clock, booting, machine.openScreen !== undefined);
          noMoreApps = apps.add(instance, link);
        },
        wanted: (waiting) => viewers.wanted(instance, waiting),
        async openDisplay(opening) {
          const open = displayOpener(machine, link, { clock, log, scrcpyServer });
          // A device that has no sound says so, and shows its picture all the same.
          const withSound = (waking: AbortSignal, shape?: StreamShape) => open(waking, { ...shape, audio: true });
          const source = new RestingSource(await withSound(opening), withSound, clock);
          viewers.addDevice(instance, {
            source,
            shell: (command, options) => link.shell(command, options),
            console: machine.console,
            openMiniature: (looking) => open(looking, miniatureOptions),
            openShowcase: (looking) => open(looking, showcaseOptions),
            dial: () => openDevicePipe(machine.adb, adbKey),
            files: link,
            tools: link,
          });
          return {
            gone: source.gone,
            async close() {
              viewers.removeDevice(instance, "lost");
              await source.close();
            },
          };
        },
        async close() {
          noMoreApps?.();
          link.close();
        },
      };
    },

    /** The device has ended: disconnects whoever watches or waits for it. */
    ended(instance: string): void {
      scenarios.ended(instance);
      viewers.removeDevice(instance, "ended");
    },

    credentials: () => viewers.grants().flatMap(({ credential, link }) => [credential ?? [], link ?? []].flat()),

    /** A session, an API token or a link has ended: disconnects whoever came with it. */
    credentialEnded: (ended: string) =>
      viewers.cutOff(({ credential, link }) => credential === ended || link === ended),

    participants: () =>
      viewers
        .grants()
        // Strangers at the showcase, or in a page of others, are nobody's participants.
        .filter(
          ({ role, credential, link }) => role === "participant" && credential !== undefined && link === undefined,
        )
        .map(({ instanceUuid: instance, user, viewOnly }) => ({ instance, user, canControl: !viewOnly })),

    participantLeft: (who: HeldParticipant) => viewers.cutOff((grant) => isOf(grant, who)),

    controlChanged: (who: HeldParticipant) => viewers.setControl((grant) => isOf(grant, who), who.canControl),

    serve(server: Server): void {
      server.on("request", (request, response) => {
        const post = request.method === "POST" ? (request.url ?? "") : "";
        const [, forApp] = appsPath.exec(post) ?? [];
        const [, forScenario] = scenarioPath.exec(post) ?? [];
        if (forApp !== undefined) void apps.serve(forApp, request, response);
        else if (forScenario !== undefined) void scenarios.serve(forScenario, request, response);
        else response.writeHead(426).end();
      });
      server.on("upgrade", (request, socket, head) => {
        const [, instance, errand] = visitPath.exec(request.url?.split("?")[0] ?? "") ?? [];
        if (instance === undefined) {
          socket.destroy();
          return;
        }
        const header = request.headers[CLIENT_ADDRESS_HEADER];
        const address = typeof header === "string" ? header : "";
        if (isFreight(errand)) {
          const bytes = acceptByteSocket(request, socket, head);
          if (bytes) viewers.acceptBytes(instance, bytes, address, errand, tokenOf(request));
          return;
        }
        sockets.handleUpgrade(request, socket, head, (webSocket) =>
          viewers.acceptViewer(instance, webSocket, address, errand as Errand),
        );
      });
    },

    stats: () => viewers.stats(),
    tunnelStats: () => viewers.tunnelStats(),

    async stop(): Promise<void> {
      await scenarios.stop();
      await viewers.stop();
      for (const client of sockets.clients) client.terminate();
    },
  };
}

const isFreight = (errand: string | undefined): errand is Freight =>
  errand === "adb" || errand === "upload" || errand === "tools";

/** Clients that are no browsers can send it with the request. */
function tokenOf({ headers, url = "" }: IncomingMessage): string | undefined {
  const inHeader = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return inHeader ?? new URLSearchParams(url.split("?")[1]).get("token") ?? undefined;
}
