import { describe, expect, it } from "vitest";
import { create } from "./testing/held-viewer-server.ts";
import { settled } from "./testing/settled.ts";

type Held = ReturnType<typeof create>;

/** People whose pages have joined the room, with what each hears of it. */
async function room(held: Held, ...tokens: string[]) {
  held.add();
  const people = [];
  for (const token of tokens) {
    const viewer = await held.watch(token);
    viewer.socket.say({ type: "ROOM", what: "join" });
    const heard = () => viewer.socket.sent.filter(({ type }) => type === "ROOM").map(({ message }) => message);
    const hands = () =>
      (heard() as { what: string; users?: string[] }[]).findLast(({ what }) => what === "hands")?.users;
    people.push({
      ...viewer,
      heard,
      hands,
      say: (what: string, more = {}) => viewer.event({ type: "ROOM", what, ...more }),
    });
  }
  return people as [(typeof people)[0], ...typeof people];
}

describe("pointers", () => {
  it("are seen by the others, also those of who may only watch, and gone with whoever leaves", async () => {
    const held = create();
    const [owner, watcher, guest] = await room(held, "owner", "watcher", "guest");
    watcher?.say("point", { x: 0.25, y: 1 });
    const seen = { what: "pointer", viewer: 1, user: "u3" };
    expect([owner.heard(), watcher?.heard(), guest?.heard()]).toEqual([
      [{ ...seen, x: 0.25, y: 1 }],
      [],
      [{ ...seen, x: 0.25, y: 1 }],
    ]);
    watcher?.socket.leave();
    await settled();
    expect(owner.heard().at(-1)).toEqual(seen);
  });

  it("are not sent to other pages of the same person, nor to a player that has not said that it knows them", async () => {
    const held = create();
    const [owner, second] = await room(held, "owner", "owner");
    const vendors = await held.watch("guest");
    owner.say("point", { x: 0, y: 0 });
    vendors.event({ type: "ROOM", what: "point", x: 0, y: 0 });
    vendors.event({ type: "ROOM", what: "hand", up: true });
    const heard = vendors.socket.sent.filter(({ type }) => type === "ROOM");
    expect([owner.heard(), second?.heard(), heard]).toEqual([[], [], []]);
  });

  it("are no use of the device", async () => {
    const held = create();
    const [owner] = await room(held, "owner");
    await held.clock.advance(1_000);
    owner.say("point", { x: 0, y: 0 });
    expect(held.used).toHaveLength(1);
  });

  it("are dropped where they come too often, but never their end", async () => {
    const held = create();
    const [owner, guest] = await room(held, "owner", "guest");
    for (let count = 0; count < 100; count++) guest?.say("point", { x: count / 100, y: 0 });
    expect(owner.heard()).toHaveLength(20);
    guest?.say("point");
    guest?.say("point");
    expect(owner.heard().slice(20)).toEqual([{ what: "pointer", viewer: 1, user: "u2" }]);
    await held.clock.advance(1_000);
    guest?.say("point", { x: 1, y: 1 });
    expect(owner.heard()).toHaveLength(22);
  });

  it("are dropped where they are no place in the picture", async () => {
    const held = create();
    const [owner, guest] = await room(held, "owner", "guest");
    for (const place of [{ x: 1.1, y: 0 }, { x: 0, y: -0.1 }, { x: "0", y: 0 }, { x: 0 }, { x: null, y: null }])
      guest?.say("point", place);
    expect(owner.heard()).toEqual([]);
  });
});

describe("a raised hand", () => {
  it("is seen by all, also by who comes later, until it is lowered or its person has left with every page", async () => {
    const held = create();
    const [owner, watcher, second] = await room(held, "owner", "watcher", "watcher");
    watcher?.say("hand", { up: true });
    watcher?.say("hand", { up: true });
    expect([owner.heard(), watcher?.hands()]).toEqual([[{ what: "hands", users: ["u3"] }], ["u3"]]);
    watcher?.socket.leave();
    await settled();
    expect(owner.hands()).toEqual(["u3"]);
    const late = await held.watch("guest");
    late.socket.say({ type: "ROOM", what: "join" });
    late.socket.say({ type: "ROOM", what: "join" });
    expect(late.socket.sent.filter(({ type }) => type === "ROOM")).toHaveLength(1);
    second?.socket.leave();
    await settled();
    expect(owner.hands()).toEqual([]);
  });

  it("is lowered by who raised it, and by being given control", async () => {
    const held = create();
    const [owner, watcher] = await room(held, "owner", "watcher");
    watcher?.say("hand", { up: true });
    watcher?.say("hand", { up: false });
    expect(owner.hands()).toEqual([]);
    watcher?.say("hand", { up: true });
    held.server.setControl(({ user }) => user === "u3", true);
    expect(owner.hands()).toEqual([]);
    watcher?.say("hand", { up: true });
    expect(owner.hands()).toEqual([]);
  });

  it("is not there for who has control, and is declined by the owner alone", async () => {
    const held = create();
    const [owner, watcher, guest] = await room(held, "owner", "watcher", "guest");
    guest?.say("hand", { up: true });
    owner.say("hand", { up: true });
    expect(owner.heard()).toEqual([]);
    watcher?.say("hand", { up: true });
    guest?.say("decline", { user: "u3" });
    expect(owner.hands()).toEqual(["u3"]);
    owner.say("decline", { user: "u2" });
    owner.say("decline", { user: "u3" });
    expect(watcher?.heard().slice(-2)).toEqual([{ what: "hands", users: [] }, { what: "declined" }]);
    expect(guest?.heard()).not.toContainEqual({ what: "declined" });
  });

  it("is raised six times a minute at most, also by who comes back for it", async () => {
    const held = create();
    const [owner, watcher] = await room(held, "owner", "watcher");
    for (let count = 0; count < 10; count++) {
      watcher?.say("hand", { up: true });
      watcher?.say("hand", { up: false });
    }
    expect(owner.heard()).toHaveLength(12);
    watcher?.socket.leave();
    await settled();
    const again = await held.watch("watcher");
    again.socket.say({ type: "ROOM", what: "join" });
    again.event({ type: "ROOM", what: "hand", up: true });
    expect(owner.hands()).toEqual([]);
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await held.clock.advance(10_000);
      for (const { socket } of [owner, again]) socket.pong();
    }
    again.event({ type: "ROOM", what: "hand", up: true });
    expect(owner.hands()).toEqual(["u3"]);
  });
});
