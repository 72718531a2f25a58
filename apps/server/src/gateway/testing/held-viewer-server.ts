import type { DeviceAct } from "../../features/instances/device-acts.ts";
import { TestClock } from "@terrarium/clock";
import pino from "pino";
import { createViewerServer, type Errand, type Freight, type ViewerServerDeps } from "../viewer-server.ts";
import type { AppLink } from "../apps/install-app.ts";
import type { ToolLink } from "../tools/tool.ts";
import { FakeDisplay } from "./fake-display.ts";
import { FakePipe } from "./fake-pipe.ts";
import { fakeShell } from "./fake-shell.ts";
import { FakeByteSocket, fakePeers, FakeSocket } from "./fake-viewer.ts";
import { settled } from "./settled.ts";
import type { Grant } from "../viewers/visitor.ts";

export const DEVICE = "0c0ffee0-0000-4000-8000-000000000001";
const grants: Record<string, Grant | "expired" | "ended"> = {
  owner: { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" },
  colleague: { instanceUuid: DEVICE, user: "u4", role: "owner", credential: "c4" },
  guest: { instanceUuid: DEVICE, user: "u2", role: "participant", credential: "c1" },
  watcher: { instanceUuid: DEVICE, user: "u3", role: "participant", credential: "c1", viewOnly: true },
  linked: { instanceUuid: DEVICE, user: "l1", role: "participant", credential: "c1", link: "l1" },
  shown: { instanceUuid: DEVICE, user: "l2", role: "participant", credential: "c1", link: "l2", viewOnly: true },
  other: { instanceUuid: "another", user: "u1", role: "owner", credential: "c1" },
  old: "expired",
  late: "ended",
};
/** The timer of an unwatched display that is about to rest. */
export const DISPLAY_RESTS = 1;
export const frame = Buffer.from([0, 0, 0, 1, 0x65, 1]);

/** A viewer server whose clock, device, sockets and media connections are all controlled by the test. */
export function create(deps: Partial<ViewerServerDeps> = {}) {
  const clock = new TestClock(0);
  const used: string[] = [];
  /** What was done to the device: by whom, from where, and what. */
  const acts: [string, string, DeviceAct][] = [];
  const { peers, createPeer } = fakePeers();
  const server = createViewerServer({
    clock,
    log: pino({ level: "silent" }),
    authorize: async (token) => grants[token] ?? "wrong",
    onUse: (instanceUuid) => used.push(instanceUuid),
    onAct: ({ user }, address, act) => acts.push([user, address, act]),
    createPeer,
    ...deps,
  });
  const display = new FakeDisplay();
  const shell = fakeShell();
  /** The displays that were opened for its miniature. */
  const miniatures: FakeDisplay[] = [];
  const openMiniature = async () => {
    const miniature = new FakeDisplay();
    miniatures.push(miniature);
    return miniature;
  };
  /** And those for strangers. */
  const showcases: FakeDisplay[] = [];
  const openShowcase = async () => {
    const showcase = new FakeDisplay();
    showcases.push(showcase);
    return showcase;
  };
  /** Connections of tunnels to its adb. */
  const pipes: FakePipe[] = [];
  const dial = () => {
    const pipe = new FakePipe();
    pipes.push(pipe);
    return pipe;
  };
  const add = (files?: AppLink, tools?: ToolLink) =>
    server.addDevice(DEVICE, { source: display, shell: shell.run, openMiniature, openShowcase, dial, files, tools });
  /** An accepted socket for bytes, which says `hello`. */
  const come = async (freight: Freight, hello?: object | string, token?: string) => {
    const socket = new FakeByteSocket();
    server.acceptBytes(DEVICE, socket, "203.0.113.7", freight, token);
    if (hello !== undefined) socket.say(hello);
    await settled();
    return socket;
  };
  /** An accepted socket, which sends a token if given one. */
  const arrive = async (token?: string, address = "203.0.113.7", errand?: Errand) => {
    const socket = new FakeSocket();
    server.acceptSocket(DEVICE, socket, address, errand);
    if (token !== undefined) socket.say({ type: "token", token });
    await settled();
    return socket;
  };
  /** A viewer that sees the picture. */
  const watch = async (token = "owner") => {
    const socket = await arrive(token);
    const peer = peers.at(-1);
    if (!peer) throw new Error("no peer was made");
    socket.say({ type: "offer", sdp: "offer" });
    peer.connect();
    await settled();
    return { socket, peer, event: (event: object) => peer.events.onEvent(JSON.stringify(event)) };
  };
  /** Somebody who looks at the miniature. */
  const look = (token = "owner") => arrive(token, undefined, "miniature");
  return {
    clock,
    server,
    display,
    shell,
    peers,
    used,
    acts,
    miniatures,
    showcases,
    add,
    arrive,
    watch,
    look,
    come,
    pipes,
  };
}
