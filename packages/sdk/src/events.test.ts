import { describe, expect, it } from "vitest";
import { watchEvents } from "./events.ts";

type Connect = NonNullable<NonNullable<Parameters<typeof watchEvents>[2]>["connect"]>;

/** A socket that does what the test says. */
class FakeSocket {
  active = true;
  connects = 0;
  isOpen = true;
  readonly #listeners = new Map<string, (payload?: unknown) => void>();
  io = {
    opts: {} as { query?: unknown; transports?: string[] },
    on: (event: string, listener: () => void) => this.#listeners.set(event, listener),
  };
  on(event: string, listener: (payload?: unknown) => void) {
    this.#listeners.set(event, listener);
  }
  say(event: string, payload?: unknown) {
    this.#listeners.get(event)?.(payload);
  }
  /** The service answers, and not as one would like. */
  refuse(code: string) {
    this.active = false;
    this.say("connect_error", new Error(code));
  }
  connect() {
    this.active = true;
    this.connects++;
  }
  disconnect() {
    this.isOpen = false;
  }
}

/** `first` is what is told first; until then it listens. */
function watch(signal?: AbortSignal) {
  const socket = new FakeSocket();
  const waits: number[] = [];
  const tokens = ["first", "second"];
  const connect = (_origin: string, options: object) => {
    socket.io.opts = { ...options };
    return socket;
  };
  const events = watchEvents({ baseUrl: "http://here/there", token: () => tokens.shift() }, signal, {
    connect: connect as unknown as Connect,
    sleep: async (ms) => void waits.push(ms),
  });
  return { socket, waits, events, first: events.next() };
}

const connected = { done: false, value: { channel: "connected", data: null } };
const renewed = { token: "Bearer second" };

describe("who watches", () => {
  it("is told that it is connected, then what changes, and leaves the service when it leaves", async () => {
    const { socket, events, first } = watch();
    expect(socket.io.opts).toMatchObject({ path: "/there/cloud/socket.io", query: { token: "Bearer first" } });
    socket.say("connect");
    expect(await first).toEqual(connected);
    socket.say("instances", { data: { name: "one" } });
    expect(await events.next()).toEqual({ done: false, value: { channel: "instances", data: { name: "one" } } });
    await events.return();
    expect(socket.isOpen).toBe(false);
  });

  it("is told to read anew in place of what it has not read in time", async () => {
    const { socket, events, first } = watch();
    socket.say("connect");
    for (let at = 0; at < 1_500; at++) socket.say("instances", { data: { name: String(at) } });
    expect(await first).toEqual(connected);
    expect(await events.next()).toMatchObject({ value: { data: { name: "999" } } });
  });

  it("ends with its signal", async () => {
    const enough = new AbortController();
    const { socket, first } = watch(enough.signal);
    enough.abort();
    expect(await first).toEqual({ done: true, value: undefined });
    expect(socket.isOpen).toBe(false);
  });

  it.each(["NOT_AUTHENTICATED", "TOO_MANY_REQUESTS"])("is refused with %s", async (code) => {
    const { socket, first, waits } = watch();
    socket.refuse(code);
    await expect(first).rejects.toMatchObject({ code });
    expect([socket.isOpen, waits]).toEqual([false, []]);
  });

  it.each(["SERVICE_UNAVAILABLE", "TOO_MANY_REQUESTS"])(
    "is connected again after %s, with a new token",
    async (code) => {
      const { socket, events, first, waits } = watch();
      socket.say("connect");
      await first;
      socket.refuse(code);
      const next = events.next();
      await Promise.resolve();
      expect([socket.connects, waits, socket.io.opts.query]).toEqual([1, [3_000], renewed]);
      socket.say("connect");
      expect(await next).toEqual(connected);
    },
  );

  it("does not come back when its token has ended meanwhile", async () => {
    const { socket, events, first } = watch();
    socket.say("connect");
    await first;
    socket.refuse("NOT_AUTHENTICATED");
    await expect(events.next()).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
  });

  it("comes back with a new token when the service has ended the connection", async () => {
    const { socket } = watch();
    socket.say("connect");
    socket.say("disconnect", "transport close");
    expect(socket.connects).toBe(0);
    socket.say("disconnect", "io server disconnect");
    expect([socket.connects, socket.io.opts.query]).toEqual([1, renewed]);
  });

  it("polls where a proxy swallows WebSockets, and gives up a service that was never there", async () => {
    const { socket, first } = watch();
    for (let attempt = 1; attempt < 10; attempt++) socket.say("connect_error", new Error("timeout"));
    expect([socket.isOpen, socket.io.opts.transports]).toEqual([true, ["polling", "websocket"]]);
    socket.say("connect_error", new Error("xhr poll error"));
    await expect(first).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("waits for as long as it takes for a service that was there", async () => {
    const { socket, events, first } = watch();
    socket.say("connect");
    await first;
    for (let attempt = 0; attempt < 100; attempt++) socket.say("connect_error", new Error("xhr poll error"));
    const next = events.next();
    socket.say("connect");
    expect(await next).toEqual(connected);
  });
});
