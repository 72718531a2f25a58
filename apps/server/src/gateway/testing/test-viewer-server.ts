import { systemClock } from "@terrarium/clock";
import pino from "pino";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { Cleanup } from "../../platform/clean-up.ts";
import { createViewerServer, type ViewerServer, type ViewerServerDeps } from "../viewer-server.ts";
import { cleanUpWebRtc } from "../viewers/web-rtc-peer.ts";
import { FakeDisplay } from "./fake-display.ts";
import { FakeFiles } from "./fake-files.ts";
import { fakeShell } from "./fake-shell.ts";
import { TestPlayer } from "./test-player.ts";

export const DEVICE = "0c0ffee0-0000-4000-8000-000000000001";
export const TOKEN = "good";

export interface TestViewerServer {
  server: ViewerServer;
  display: FakeDisplay;
  files: FakeFiles;
  /** `ws://127.0.0.1:port` of the device's signalling. */
  url: string;
  player(token?: string): TestPlayer;
  stop(): Promise<void>;
}

/** A viewer server with one device, over loopback and real WebRTC. */
export async function startTestViewerServer(deps: Partial<ViewerServerDeps> = {}): Promise<TestViewerServer> {
  const cleanup = new Cleanup();
  const server = createViewerServer({
    clock: systemClock,
    log: pino({ level: "silent" }),
    authorize: async (token) =>
      token === TOKEN
        ? { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" }
        : token === "old"
          ? "expired"
          : "wrong",
    ice: { bindAddress: "127.0.0.1", reach: "loopback" },
    ...deps,
  });
  cleanup.add(cleanUpWebRtc);
  cleanup.add(() => server.stop());
  const display = new FakeDisplay();
  const files = new FakeFiles();
  server.addDevice(DEVICE, {
    source: display,
    shell: fakeShell().run,
    openMiniature: async () => new FakeDisplay(),
    openShowcase: async () => new FakeDisplay(),
    files,
  });

  const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => sockets.once("listening", resolve));
  cleanup.add(() => new Promise((resolve) => sockets.close(resolve)));
  sockets.on("connection", (socket) => server.acceptViewer(DEVICE, socket, "127.0.0.1"));
  const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
  return {
    server,
    display,
    files,
    url,
    player(token = TOKEN) {
      const player = new TestPlayer(url, token);
      cleanup.add(() => player.close());
      return player;
    },
    stop: () => cleanup.run(),
  };
}
