import { systemClock } from "@terrarium/clock";
import pino from "pino";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { Cleanup } from "../../platform/clean-up.ts";
import { createGateway, type Gateway, type GatewayDeps } from "../gateway.ts";
import { cleanUpWebRtc } from "../viewers/web-rtc-peer.ts";
import { fakeBattery } from "./fake-battery.ts";
import { FakeDisplay } from "./fake-display.ts";
import { TestPlayer } from "./test-player.ts";

export const DEVICE = "0c0ffee0-0000-4000-8000-000000000001";
export const TOKEN = "good";

export interface TestGateway {
  gateway: Gateway;
  display: FakeDisplay;
  /** `ws://127.0.0.1:port` of the device's signalling. */
  url: string;
  player(token?: string): TestPlayer;
  stop(): Promise<void>;
}

/** A gateway with one device, over loopback and real WebRTC. */
export async function startTestGateway(deps: Partial<GatewayDeps> = {}): Promise<TestGateway> {
  const cleanup = new Cleanup();
  const gateway = createGateway({
    clock: systemClock,
    log: pino({ level: "silent" }),
    authorize: async (token) =>
      token === TOKEN
        ? { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" }
        : token === "old"
          ? "expired"
          : "wrong",
    ice: { bindAddress: "127.0.0.1" },
    ...deps,
  });
  cleanup.add(cleanUpWebRtc);
  cleanup.add(() => gateway.stop());
  const display = new FakeDisplay();
  gateway.addDevice(DEVICE, { source: display, shell: fakeBattery().shell });

  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  cleanup.add(() => new Promise((resolve) => server.close(resolve)));
  server.on("connection", (socket) => gateway.acceptViewer(DEVICE, socket));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    gateway,
    display,
    url,
    player(token = TOKEN) {
      const player = new TestPlayer(url, token);
      cleanup.add(() => player.close());
      return player;
    },
    stop: () => cleanup.run(),
  };
}
