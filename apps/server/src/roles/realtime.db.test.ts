import { TestClock } from "@terrarium/clock";
import { socketPath } from "@terrarium/contract";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { moveInstance } from "../features/instances/move-instance.ts";
import { ROLE_CHANGED } from "../features/sessions/credentials.ts";
import { SESSION_MS } from "../features/sessions/session-tokens.ts";
import { notify } from "../platform/db/listen.ts";
import { createLog } from "../platform/log.ts";
import { createTestApp } from "../testing/app.ts";
import { connectSocket as connect } from "../testing/connect-socket.ts";
import { createTestDatabase } from "../testing/database.ts";
import { aCustom, anOrganization } from "../testing/factories.ts";
import { untilBlocked } from "../testing/until-blocked.ts";
import { startRealtime } from "./realtime.ts";

describe("Socket.IO", () => {
  it("sends changes of a device to its owner and the organization's managers only", async () => {
    const test = await createTestApp({ listen: true });
    const organization = await anOrganization(test.db);
    const owner = await test.as({ organization });
    const manager = await test.as({ organization, role: "manager" });
    const colleague = await test.as({ organization });
    const stranger = await test.as({ role: "manager" });
    await stranger.start();
    const [theirs, managers, ...others] = await Promise.all(
      [owner, manager, colleague, stranger].map((person) => connect(test.port, { token: `Bearer ${person.token}` })),
    );
    const uuid: string = (await owner.start()).json().uuid;
    await moveInstance(test.db, { uuid, event: "powered", now: new Date(test.clock.now()) });

    expect((await theirs!.count(2)).map(({ channel, state, revision }) => [channel, state, revision])).toEqual([
      ["instances", "CREATING", 1],
      ["instances", "STARTING", 2],
    ]);
    expect((await managers!.count(2)).map(({ channel, state }) => [channel, state])).toEqual([
      ["manager-instances", "CREATING"],
      ["manager-instances", "STARTING"],
    ]);
    expect(theirs!.received[0]).toMatchObject({
      uuid,
      name: "one",
      owner_uuid: owner.user.uuid,
      updated_at: "2026-03-02T09:00:00.000Z",
    });
    for (const other of others) expect(other.received).toEqual([]);
  });

  it.each([
    ["recipes", "recipes-updates"],
    ["os_images", "os-images-updates"],
  ] as const)(
    "sends changes of %s, however written, to the members of its organization only",
    async (table, channel) => {
      const test = await createTestApp({ listen: true });
      const organization = await anOrganization(test.db);
      const owner = await test.as({ organization });
      const colleague = await test.as({ organization });
      const strangers = [await test.as({ role: "manager" }), await test.as({ role: "guest" })];
      const [theirs, colleagues, ...others] = await Promise.all(
        [owner, colleague, ...strangers].map((person) => connect(test.port, { token: person.token })),
      );
      const uuid = await aCustom(test.db, table, owner.user);
      const set = async (change: object, where = uuid) =>
        test.db.updateTable(table).set(change).where("uuid", "=", where).execute();
      await set({ status: "UPDATING" });
      // Each start of a server writes official rows again; only their time changes.
      await set({ updated_at: new Date(0) });
      await set({ name: "Fern" });
      const heard = [1, 2, 3].map((revision) => ({
        channel,
        uuid,
        status: revision === 1 ? "READY" : "UPDATING",
        revision,
      }));
      expect(await theirs!.count(3)).toEqual(heard);
      expect(await colleagues!.count(3)).toEqual(heard);
      for (const other of others) expect(other.received).toEqual([]);

      const { uuid: official } = await test.db
        .selectFrom(table)
        .select("uuid")
        .where("is_official", "=", true)
        .executeTakeFirstOrThrow();
      await set({ status: "ERROR" }, official);
      for (const member of [theirs, others[0]])
        await vi.waitUntil(() => member?.received.some((event) => event.uuid === official && event.status === "ERROR"));
      expect(theirs!.received).toHaveLength(4);
      expect(others[0]!.received).toHaveLength(1);
      expect(others[1]!.received).toEqual([]);
    },
  );

  it("lets everybody subscribe to recipes, also by another name, and members to OS images, of which guests see none", async () => {
    const test = await createTestApp({ listen: true });
    const tags = ["recipes", "recipes-updates", "os-images-updates"];
    const answerTo = async (role: "guest" | "user") =>
      (await connect(test.port, await test.as({ role }))).socket.emitWithAck("subscribe", { tags });
    const channels = ["recipes-updates", "recipes-updates", "os-images-updates"];
    expect(await answerTo("user")).toEqual({ subscribed: channels, refused: [] });
    expect(await answerTo("guest")).toEqual({ subscribed: channels.slice(0, 2), refused: channels.slice(2) });
  });

  it("tells of a recipe whose part is deleted", async () => {
    const test = await createTestApp({ listen: true });
    const owner = await test.as();
    const image = await aCustom(test.db, "os_images", owner.user);
    const uuid = await aCustom(test.db, "recipes", owner.user, { os_image_uuid: image });
    const theirs = await connect(test.port, owner);
    await test.db.deleteFrom("os_images").where("uuid", "=", image).execute();
    expect((await theirs.count(1)).at(-1)).toEqual({ channel: "recipes-updates", uuid, status: "READY", revision: 2 });
  });

  it("sends the changes of recipes and images that it missed after reconnecting to the database", async () => {
    const test = await createTestApp({ listen: true });
    const owner = await test.as();
    const uuid = await aCustom(test.db, "recipes", owner.user);
    const image = await aCustom(test.db, "os_images", owner.user);
    const theirs = await connect(test.port, owner);
    const listeners = sql`FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;
    await sql`SELECT pg_terminate_backend(pid) ${listeners}`.execute(test.db);
    while ((await sql`SELECT 1 ${listeners}`.execute(test.db)).rows.length > 0);
    const updated_at = new Date(test.clock.now());
    await test.db.updateTable("recipes").set({ status: "ERROR", updated_at }).where("uuid", "=", uuid).execute();
    await test.db.updateTable("os_images").set({ status: "ERROR", updated_at }).where("uuid", "=", image).execute();
    const heard = () => theirs.received.filter(({ status }) => status === "ERROR");
    // It notices the lost connection at an unknown time.
    while (heard().length < 2) await test.clock.advance(100);
    const change = { status: "ERROR", revision: 2 };
    expect(heard()).toContainEqual({ channel: "recipes-updates", uuid, ...change });
    expect(heard()).toContainEqual({ channel: "os-images-updates", uuid: image, ...change });
  });

  it.each([
    ["", 0],
    [", although the clock was set back meanwhile", -3_600_000],
  ])("sends the changes that it missed after reconnecting to the database%s", async (_, step) => {
    const test = await createTestApp({ listen: true });
    const owner = await test.as();
    const theirs = await connect(test.port, { token: owner.token });
    const uuid: string = (await owner.start()).json().uuid;
    await theirs.count(1);
    const listeners = sql`FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;
    await sql`SELECT pg_terminate_backend(pid) ${listeners}`.execute(test.db);
    while ((await sql`SELECT 1 ${listeners}`.execute(test.db)).rows.length > 0);
    test.clock.step(step);
    await moveInstance(test.db, { uuid, event: "powered", now: new Date(test.clock.now()) });
    // It notices the lost connection at an unknown time.
    const heard = () => theirs.received.filter(({ channel }) => channel === "instances");
    while (heard().length < 2) await test.clock.advance(100);
    expect(heard()[1]).toMatchObject({ uuid, state: "STARTING" });
  });

  it.each([
    ["no token", {}],
    ["a wrong token", { token: "Bearer nonsense" }],
    ["a wrong API token", { api_token: "tt_nonsense" }],
  ])("refuses %s", async (_, query) => {
    const { port } = await createTestApp({ listen: true });
    expect((await connect(port, query)).refused).toBe("NOT_AUTHENTICATED");
  });

  it("refuses somebody who has not accepted the terms", async () => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as({ fields: { tnc_accepted_at: null } });
    expect((await connect(test.port, robin)).refused).toBe("NOT_AUTHENTICATED");
  });

  it.each([["websocket"], ["polling"]])(
    "goes by the token over %s: from any origin, and never by a cookie",
    async (way) => {
      const test = await createTestApp({ listen: true });
      const { token } = await test.as();
      const origin = "https://evil.test";
      const cookie = `token=${token}; terrarium.session=${token}; io=${token}; authorization=Bearer ${token}`;
      expect((await connect(test.port, { token }, [way], { origin })).refused).toBeUndefined();
      expect((await connect(test.port, {}, [way], { origin, cookie })).refused).toBe("NOT_AUTHENTICATED");
    },
  );

  it("accepts API tokens and the polling transport, and answers subscriptions", async () => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json();
    const tool = await connect(test.port, { api_token: token }, ["polling"]);
    expect(tool.refused).toBeUndefined();
    const answer = await tool.socket.emitWithAck("subscribe", { tags: ["instances", "instances-manager"] });
    expect(answer).toEqual({ subscribed: ["instances"], refused: ["manager-instances"] });
    await robin.start();
    expect((await tool.count(1))[0]?.state).toBe("CREATING");
  });

  it("repeats what ended in the last 30 s to a client that subscribes late, and to nobody else", async () => {
    const test = await createTestApp({ listen: true });
    const organization = await anOrganization(test.db);
    const owner = await test.as({ organization });
    const others = {
      manager: await test.as({ organization, role: "manager" }),
      colleague: await test.as({ organization }),
    };
    const uuid: string = (await owner.start()).json().uuid;
    for (const event of ["stop", "stopped", "deleted"] as const)
      await moveInstance(test.db, { uuid, event, now: new Date(test.clock.now()) });
    await owner.start();
    await test.clock.advance(30_000);
    // The reply comes after the repeated events.
    const subscribe = async (person: typeof owner, ...tags: string[]) => {
      const { socket, received } = await connect(test.port, { token: person.token });
      await socket.emitWithAck("subscribe", { tags });
      return received.map((event) => [event.channel, event.uuid, event.state]);
    };
    expect(await subscribe(owner, "instances")).toEqual([["instances", uuid, "DELETED"]]);
    expect(await subscribe(others.manager, "instances", "instances-manager")).toEqual([
      ["manager-instances", uuid, "DELETED"],
    ]);
    expect(await subscribe(others.manager, "instances")).toEqual([]);
    expect(await subscribe(others.colleague, "instances", "instances-manager")).toEqual([]);
    await test.clock.advance(1);
    expect(await subscribe(owner, "instances")).toEqual([]);
  });

  it("repeats what came online in the last 30 s, as programs start a device before they subscribe", async () => {
    const test = await createTestApp({ listen: true });
    const owner = await test.as();
    const uuid: string = (await owner.start()).json().uuid;
    const move = { uuid, now: new Date(test.clock.now()) };
    for (const event of ["powered", "answered", "booted"] as const) await moveInstance(test.db, { ...move, event });
    const subscribe = async () => {
      const { socket, received } = await connect(test.port, { token: owner.token });
      await socket.emitWithAck("subscribe", { tags: ["instances"] });
      return received.map((event) => [event.uuid, event.state]);
    };
    await test.clock.advance(30_000);
    expect(await subscribe()).toEqual([[uuid, "ONLINE"]]);
    await moveInstance(test.db, { ...move, event: "stop" });
    expect(await subscribe()).toEqual([]);
    const other: string = (await owner.start()).json().uuid;
    for (const event of ["powered", "answered", "booted"] as const)
      await moveInstance(test.db, { uuid: other, event, now: new Date(test.clock.now()) });
    await test.clock.advance(30_001);
    expect(await subscribe()).toEqual([]);
  });

  it("leaves the database to others, however often somebody subscribes", async () => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const { socket } = await connect(test.port, { token: robin.token });
    const answers = await test.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE instances IN ACCESS EXCLUSIVE MODE`.execute(trx);
      // As many as a socket may send within a second, and more than there are connections.
      const subscribed = Array.from({ length: 20 }, async () => socket.emitWithAck("subscribe", { tags: [] }));
      await untilBlocked(test.db);
      expect((await robin.post("/v1/api-tokens", { description: "ci" })).statusCode).toBe(201);
      return { subscribed };
    });
    expect(await Promise.all(answers.subscribed)).toHaveLength(20);
  });

  it("disconnects whoever sends more than 20 messages within a second", async () => {
    const test = await createTestApp({ listen: true });
    const { socket } = await connect(test.port, { token: (await test.as()).token });
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    // Twice as many, as a second may end in between.
    for (let message = 0; message <= 40; message++) socket.emit("subscribe", { tags: [] });
    expect(await cut).toBe("io server disconnect");
  });

  it("lets one person have 100 sockets", async () => {
    const test = await createTestApp({ listen: true });
    const [robin, other] = [await test.as(), await test.as()];
    const sockets = await Promise.all(Array.from({ length: 100 }, async () => connect(test.port, robin)));
    expect(sockets.filter(({ refused }) => refused)).toEqual([]);
    expect((await connect(test.port, robin)).refused).toBe("TOO_MANY_REQUESTS");
    expect((await connect(test.port, other)).refused).toBeUndefined();
  });

  it("disconnects a socket whose token has expired, within 30 s", async () => {
    const test = await createTestApp({ listen: true });
    const { socket } = await connect(test.port, { token: (await test.as()).token });
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    test.clock.step(SESSION_MS);
    await test.clock.advance(30_000);
    expect(await cut).toBe("io server disconnect");
  });

  it("disconnects the sockets of a session that is signed out", async () => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const { socket } = await connect(test.port, { token: robin.token });
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    await robin.post("/v1/users/signout");
    expect(await cut).toBe("io server disconnect");
  });

  it("disconnects the sockets of a revoked API token, and rejects new ones", async () => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const { uuid, token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json();
    const { socket } = await connect(test.port, { api_token: token });
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    await robin.delete(`/v1/api-tokens/${uuid}`);
    expect(await cut).toBe("io server disconnect");
    expect((await connect(test.port, { api_token: token })).refused).toBe("NOT_AUTHENTICATED");
  });

  it.each([
    ["whose user is disabled", sql`UPDATE users SET is_enabled = false`],
    ["whose session is ended", sql`UPDATE sessions SET ended_at = now()`],
    ["whose session is deleted", sql`DELETE FROM sessions`],
  ])("disconnects sockets %s in the database, at once", async (_, change) => {
    const test = await createTestApp({ listen: true });
    const { socket } = await connect(test.port, { token: (await test.as()).token });
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    await change.execute(test.db);
    expect(await cut).toBe("io server disconnect");
  });

  it("disconnects the sockets of an API token whose user is disabled in the database, and of no other user", async () => {
    const test = await createTestApp({ listen: true });
    const [robin, kim] = [await test.as(), await test.as()];
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json();
    const [tool, other] = [await connect(test.port, { api_token: token }), await connect(test.port, kim)];
    const cut = new Promise((resolve) => tool.socket.once("disconnect", resolve));
    await test.db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", robin.user.uuid).execute();
    expect(await cut).toBe("io server disconnect");
    expect(other.socket.connected).toBe(true);
  });

  it("disconnects the sockets of a disabled user within 30 s if the notification was lost", async () => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const { socket } = await connect(test.port, { token: robin.token });
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    await sql`ALTER TABLE users DISABLE TRIGGER user_disabled`.execute(test.db);
    await test.db.updateTable("users").set({ is_enabled: false }).execute();
    await test.clock.advance(30_000);
    expect(await cut).toBe("io server disconnect");
  });

  it.each([
    ["at once", undefined, 0],
    ["within 30 s if the notification was lost", sql`ALTER TABLE users DISABLE TRIGGER user_role_changed`, 30_000],
  ])("gives the sockets of somebody whose role changes the channels of the new role, %s", async (_, lose, ms) => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as({ role: "manager" });
    const colleague = await test.as({ organization: robin.user.organization_uuid ?? "" });
    const theirs = await connect(test.port, robin);
    const others = await connect(test.port, colleague);
    const told = () => theirs.received.filter(({ channel }) => channel === "user-updates").length;
    const manages = async (is_organization_manager: boolean) => {
      const before = told();
      await test.db.updateTable("users").set({ is_organization_manager }).where("uuid", "=", robin.user.uuid).execute();
      await test.clock.advance(ms);
      await expect.poll(told).toBe(before + 1);
      return theirs.socket.emitWithAck("subscribe", { tags: ["instances", "manager-instances"] });
    };
    await lose?.execute(test.db);
    // Its notification may come before that of the role.
    await sql`ALTER TABLE users DISABLE TRIGGER user_changed`.execute(test.db);
    const devices = () => theirs.received.filter(({ channel }) => channel === "manager-instances").length;
    expect(await manages(false)).toEqual({ subscribed: ["instances"], refused: ["manager-instances"] });
    await colleague.start();
    // Changes in quick succession are all told of: nobody has to connect again, which takes seconds.
    expect(await manages(true)).toEqual({ subscribed: ["instances", "manager-instances"], refused: [] });
    expect(devices()).toBe(0);
    await colleague.start();
    await expect.poll(devices).toBeGreaterThan(0);
    expect([theirs.socket.connected, others.socket.connected, told()]).toEqual([true, true, 2]);
    const heard = () => others.received.some(({ channel }) => channel === "user-updates");
    expect(heard()).toBe(false);
    // Nobody keeps the channels of an organization that they have left.
    await test.db
      .updateTable("users")
      .set({ organization_uuid: null })
      .where("uuid", "=", colleague.user.uuid)
      .execute();
    await test.clock.advance(ms);
    await expect.poll(heard).toBe(true);
  });

  it("disconnects somebody whose new role cannot be read, and moves who comes after", async () => {
    const test = await createTestApp({ listen: true });
    const [robin, kim] = [await test.as(), await test.as()];
    const [theirs, next] = [await connect(test.port, robin), await connect(test.port, kim)];
    const cut = new Promise((resolve) => theirs.socket.once("disconnect", resolve));
    await sql`ALTER TABLE users RENAME TO people`.execute(test.db);
    await notify(test.db, ROLE_CHANGED, robin.user.uuid);
    expect(await cut).toBe("transport close");
    await sql`ALTER TABLE people RENAME TO users`.execute(test.db);
    await notify(test.db, ROLE_CHANGED, kim.user.uuid);
    expect((await next.count(1)).map(({ channel }) => channel)).toEqual(["user-updates"]);
  });

  it("is stopped once the last of them are moved", async () => {
    const { db, url: databaseUrl } = await createTestDatabase();
    const happened: string[] = [];
    const socket = { data: { actor: { uuid: randomUUID() } }, conn: { close: () => happened.push("moved") } };
    const io = { use: () => undefined, on: () => undefined, close: () => undefined, sockets: { sockets: new Map() } };
    const deps = { io, db, databaseUrl, clock: new TestClock(), log: createLog("silent", "test") };
    const realtime = await startRealtime(deps as never);
    io.sockets.sockets.set("one", socket);
    const stopped = await db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`.execute(trx);
      await notify(db, ROLE_CHANGED, socket.data.actor.uuid);
      await untilBlocked(db);
      const stops = realtime.stop().then(() => happened.push("stopped"));
      // All else that it waits for.
      const listens = sql`SELECT FROM pg_stat_activity WHERE application_name = 'terrarium-listen' AND datname = current_database()`;
      while ((await listens.execute(db)).rows.length > 0);
      return { stops };
    });
    await stopped.stops;
    expect(happened).toEqual(["moved", "stopped"]);
  });

  it.each([
    ["one Host header", "Host: a\r\n", "200"],
    ["several Host headers", "Host: a\r\nHost: b\r\n", "403"],
    [
      "several Host headers of a WebSocket",
      "Host: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
      "403",
    ],
  ])("answers %s", async (_, headers, status) => {
    const { port } = await createTestApp({ listen: true });
    const socket = connectTcp(port, "127.0.0.1");
    socket.write(`GET ${socketPath}/?EIO=4&transport=polling HTTP/1.1\r\n${headers}\r\n`);
    const [head] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(head.toString().slice(9, 12)).toBe(status);
  });

  it("survives malformed messages", async () => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const { socket } = await connect(test.port, { token: robin.token });
    socket.emit("subscribe", { tags: "everything" });
    socket.emit("subscribe");
    expect(await socket.emitWithAck("subscribe", { tags: ["__proto__", "constructor"] })).toEqual({
      subscribed: [],
      refused: ["__proto__", "constructor"],
    });
    expect(await socket.emitWithAck("subscribe", { tags: [7] })).toEqual({ subscribed: [], refused: [] });
    const raw = await fetch(`http://127.0.0.1:${test.port}${socketPath}/?EIO=4&transport=polling`, {
      method: "POST",
      body: "\u0000rubbish",
    });
    expect(raw.status).toBe(400);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });
});
