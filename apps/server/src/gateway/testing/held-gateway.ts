import { TestClock } from "@terrarium/clock";
import pino from "pino";
import assert from "node:assert/strict";
import { createGateway, type GatewayDeps } from "../gateway.ts";
import { fakeBattery } from "./fake-battery.ts";
import { FakeDisplay } from "./fake-display.ts";
import { fakePeers, FakeSocket } from "./fake-viewer.ts";
import { settled } from "./settled.ts";
import type { Grant } from "../viewers/viewer.ts";

export const DEVICE = "0c0ffee0-0000-4000-8000-000000000001";
const grants: Record<string, Grant | "expired" | "ended"> = {
  owner: { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" },
  guest: { instanceUuid: DEVICE, user: "u2", role: "participant", credential: "c1" },
  watcher: { instanceUuid: DEVICE, user: "u3", role: "participant", credential: "c1", viewOnly: true },
  other: { instanceUuid: "another", user: "u1", role: "owner", credential: "c1" },
  old: "expired",
  late: "ended",
};
/** A display that nobody watches waits until it may rest. */
export const DISPLAY_RESTS = 1;
export const frame = Buffer.from([0, 0, 0, 1, 0x65, 1]);

/** A gateway whose clock, device, sockets and media connections are all held by hand. */
export function create(deps: Partial<GatewayDeps> = {}) {
  const clock = new TestClock(0);
  const used: string[] = [];
  const { peers, createPeer } = fakePeers();
  const gateway = createGateway({
    clock,
    log: pino({ level: "silent" }),
    authorize: async (token) => grants[token] ?? "wrong",
    onUse: (instanceUuid) => used.push(instanceUuid),
    createPeer,
    ...deps,
  });
  const display = new FakeDisplay();
  const battery = fakeBattery();
  const add = () => gateway.addDevice(DEVICE, { source: display, shell: battery.shell });
  /** A socket that was accepted; it sends its token when there is one. */
  const arrive = async (token?: string) => {
    const socket = new FakeSocket();
    gateway.acceptSocket(DEVICE, socket);
    if (token !== undefined) socket.say({ type: "token", token });
    await settled();
    return socket;
  };
  /** A viewer that sees the picture. */
  const watch = async (token = "owner") => {
    const socket = await arrive(token);
    const peer = peers.at(-1);
    assert.ok(peer, "no peer was made");
    socket.say({ type: "offer", sdp: "offer" });
    peer.connect();
    await settled();
    return { socket, peer, event: (event: object) => peer.events.onEvent(JSON.stringify(event)) };
  };
  return { clock, gateway, display, battery, peers, used, add, arrive, watch };
}
