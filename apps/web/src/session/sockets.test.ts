import type { InstanceChange } from "@terrarium/contract";
import { expect, it } from "vitest";
import { RealtimeLink, type Wire, type WireOptions } from "./sockets.ts";

const change: InstanceChange = {
  uuid: "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a",
  owner_uuid: "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3b",
  name: "one",
  state: "ONLINE",
  revision: 4,
  reason: null,
  created_at: "2026-03-05T14:00:00.000Z",
  updated_at: "2026-03-05T14:00:00.000Z",
  online_at: null,
  stops_at: null,
  stops_because: null,
  queue: null,
  can_save: false,
  save: null,
};

/** A socket that does what the test says. */
class FakeWire implements Wire {
  active = true;
  connects = 0;
  isOpen = true;
  readonly #listeners = new Map<string, (payload?: unknown) => void>();
  readonly options: WireOptions;
  io;
  constructor(options: WireOptions) {
    this.options = options;
    this.io = {
      opts: { query: options.query as object, transports: options.transports as unknown },
      on: (event: string, listener: () => void) => this.#listeners.set(event, listener),
    };
  }
  on(event: string, listener: (payload: unknown) => void) {
    this.#listeners.set(event, listener);
  }
  say(event: string, payload?: unknown) {
    this.#listeners.get(event)?.(payload);
  }
  connect() {
    this.connects++;
  }
  disconnect() {
    this.isOpen = false;
  }
}

function open() {
  const wires: FakeWire[] = [];
  const heard: string[] = [];
  const ended = Promise.withResolvers<void>();
  let token = "first";
  const link = new RealtimeLink({
    connect: (options) => {
      const wire = new FakeWire(options);
      wires.push(wire);
      return wire;
    },
    token: () => token,
    onEvent: (channel, data) =>
      heard.push(`${channel} ${"state" in data ? data.state : "status" in data ? data.status : data.uuid}`),
    onEnded: () => ended.promise,
    onLive: (isAgain) => heard.push(isAgain ? "live again" : "live"),
  });
  link.start();
  const wire = wires[0];
  if (!wire) throw new Error("it did not connect");
  return { link, wire, wires, heard, ended, renew: (next: string) => (token = next) };
}

it("connects as the service asks: bearer token, websocket first, ten tries 3 seconds apart", () => {
  expect(open().wire.options).toEqual({
    path: "/cloud/socket.io",
    query: { token: "Bearer first" },
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    reconnectionDelay: 3000,
    reconnectionDelayMax: 3000,
    randomizationFactor: 0,
    reconnectionAttempts: 10,
  });
});

it("hands on events of all channels, and nothing that is none", () => {
  const { wire, heard } = open();
  wire.say("instances", { data: change });
  wire.say("manager-instances", { data: { ...change, state: "STOPPING" } });
  wire.say("instances", { data: { ...change, state: "DANCING" } });
  wire.say("instances", "nonsense");
  const recipe = { uuid: change.uuid, status: "UPDATING", revision: 2 };
  wire.say("recipe.updated.v2", { data: recipe });
  wire.say("recipe.updated.v2", { data: { ...recipe, status: "DANCING" } });
  wire.say("os_image.updated", { data: { ...recipe, status: "ERROR" } });
  expect(heard).toEqual([
    "instances ONLINE",
    "manager-instances STOPPING",
    "recipes-updates UPDATING",
    "os-images-updates ERROR",
  ]);
});

it("tells each time that the link is there, as what changed before was missed", () => {
  const { link, wire, heard } = open();
  wire.say("connect");
  expect([link.status, heard]).toEqual(["live", ["live"]]);
  wire.say("disconnect");
  expect(link.status).toBe("waiting");
  wire.say("connect");
  expect(heard).toEqual(["live", "live again"]);
});

it("tries again with the token that is valid now", () => {
  const { wire, renew } = open();
  renew("second");
  wire.say("reconnect_attempt");
  expect(wire.io.opts.query).toEqual({ token: "Bearer second" });
});

it("begins with polling after an upgrade that was never answered, and not after other failures", () => {
  const { wire } = open();
  wire.say("connect_error", new Error("websocket error"));
  expect(wire.io.opts.transports).toEqual(["websocket", "polling"]);
  wire.say("connect_error", new Error("timeout"));
  expect(wire.io.opts.transports).toEqual(["polling", "websocket"]);
});

it("is lost after the last try, and tries again when asked", () => {
  const { link, wire, renew } = open();
  link.retry();
  expect(wire.connects).toBe(0);
  wire.say("reconnect_failed");
  expect(link.status).toBe("lost");
  renew("second");
  link.retry();
  expect([link.status, wire.connects, wire.io.opts.query]).toEqual(["waiting", 1, { token: "Bearer second" }]);
});

it("is lost at once when the service refuses it", () => {
  const { link, wire } = open();
  wire.active = false;
  wire.say("connect_error");
  expect(link.status).toBe("lost");
});

it("is lost when the service ends the link, as it then does not try by itself", () => {
  const { link, wire } = open();
  wire.say("connect");
  wire.active = false;
  wire.say("disconnect");
  expect(link.status).toBe("lost");
});

it("is tried again with the present token when the service ended it and the session goes on", async () => {
  const { link, wire, ended, renew } = open();
  wire.say("connect");
  wire.active = false;
  wire.say("disconnect");
  renew("second");
  expect(wire.connects).toBe(0);
  ended.resolve();
  await ended.promise;
  expect([link.status, wire.connects, wire.io.opts.query]).toEqual(["waiting", 1, { token: "Bearer second" }]);
});

it("is not tried again when the session is over", async () => {
  const { link, wire, ended } = open();
  wire.say("connect");
  wire.active = false;
  wire.say("disconnect");
  link.stop();
  ended.resolve();
  await ended.promise;
  expect([link.status, wire.connects]).toEqual(["off", 0]);
});

it("is there for the first time after it was started anew", () => {
  const { link, wire, wires, heard } = open();
  wire.say("connect");
  link.stop();
  link.start();
  wires[1]?.say("connect");
  expect([link.status, heard]).toEqual(["live", ["live", "live"]]);
});

it("is silent once it was stopped, and starts anew", () => {
  const { link, wire, wires } = open();
  let told = 0;
  link.stop();
  link.subscribe(() => told++);
  wire.say("disconnect");
  expect([link.status, wire.isOpen, told]).toEqual(["off", false, 0]);
  link.start();
  expect([link.status, wires.length, told]).toEqual(["waiting", 2, 1]);
});
