import { basePath } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { forgetOldKeys } from "./instances.jobs.ts";
import { moveInstance } from "./move-instance.ts";
import { iceServersFor } from "./turn.ts";

const unknown = "9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11";

describe("POST /v1/recipes/:uuid/start-disposable", () => {
  it("answers the device as clients read it", async () => {
    const { as } = await createTestApp();
    const robin = await as();
    const answer = await robin.start({ automatic_release: { type: "after_inactivity" } });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      name: "one",
      state: "CREATING",
      owner: { uuid: robin.user.uuid, email: robin.user.email },
      timeouts: { inactivity: 30, global: 0 },
      recipe: { source: "DEFAULT", owner: null },
      hardware_profile: { form_factor: "PHONE", width: 1440, height: 3120, density: 560 },
      os_image: { arch: "arm64", os_version: { os_version: "16.0", sdk_version: 36 } },
      webrtc_url: expect.stringMatching(/^ws:\/\/.*\/cloud\/instances\/.*\/player$/),
      adb_url: expect.stringMatching(/^ws:\/\/.*\/cloud\/instances\/.*\/adb$/),
      tools_url: expect.stringMatching(/^ws:\/\/.*\/cloud\/instances\/.*\/tools$/),
      file_upload_url: expect.stringMatching(/^ws:\/\/.*\/cloud\/instances\/.*\/upload$/),
    });
    expect(answer.body).not.toContain("artefact");
  });

  it.each([
    [{ stop_when_inactive: true }, { inactivity: 30, global: 0 }],
    [{ stop_when_inactive: false }, { inactivity: 0, global: 0 }],
    [{ timeouts: { inactivity: 0, global: 60 } }, { inactivity: 0, global: 60 }],
    [{ timeouts: {} }, { inactivity: 30, global: 0 }],
    // The newest of the ways to say it counts.
    [
      { automatic_release: { type: "after_inactivity" }, timeouts: { inactivity: 5, global: 5 } },
      { inactivity: 30, global: 0 },
    ],
    [{}, { inactivity: 30, global: 0 }],
  ])("reads the stop policy %j", async (body, timeouts) => {
    const { as } = await createTestApp();
    expect((await (await as()).start(body)).json().timeouts).toEqual(timeouts);
  });

  it("makes one device of a hundred equal calls with one key", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => robin.start({}, { "idempotency-key": "same" })),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    const bodies = new Set(answers.map(({ body }) => body)).size;
    const devices = (await db.selectFrom("instances").select("uuid").execute()).length;
    console.log(`${answers.length} equal starts at once: ${devices} device, ${bodies} answer`);
    expect([devices, bodies]).toEqual([1, 1]);
    const other = await robin.start({ instance_name: "other" }, { "idempotency-key": "same" });
    expect([other.statusCode, other.json().code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  it("makes one device for each client that hangs up before the answer, and asks again", async () => {
    const { as, app, db, port } = await createTestApp({ listen: true });
    const robin = await as();
    const recipe: string = (await robin.get("/v3/recipes?page_size=1")).json().results[0].uuid;
    const CLIENTS = 10;
    const answers = new Set<string>();
    for (let client = 0; client < CLIENTS; client++) {
      const key = { "idempotency-key": `client-${client}` };
      const hangUp = new AbortController();
      // The service has the request, and nobody waits for its answer.
      app.http.server.once("request", () => hangUp.abort());
      const asked = fetch(`http://127.0.0.1:${port}${basePath}/v1/recipes/${recipe}/start-disposable`, {
        method: "POST",
        headers: { ...robin.headers, ...key, "content-type": "application/json" },
        body: JSON.stringify({ instance_name: "one", rename_on_conflict: true }),
        signal: hangUp.signal,
      });
      await expect(asked).rejects.toThrow("aborted");
      answers.add((await robin.start({}, key)).json().uuid);
    }
    const devices = (await db.selectFrom("instances").select("uuid").execute()).length;
    console.log(
      `${CLIENTS} clients hung up before the answer and asked again: ${devices} devices, ${answers.size} answers`,
    );
    expect([devices, answers.size]).toEqual([CLIENTS, CLIENTS]);
  });

  it("keeps keys apart: each user's, and each of one user", async () => {
    const { as } = await createTestApp();
    const [robin, kim] = [await as(), await as()];
    const start = async (who: typeof robin, key: string) =>
      (await who.start({}, { "idempotency-key": key })).json().uuid as string;
    const first = [
      await start(robin, "one"),
      await start(robin, "two"),
      await start(kim, "one"),
      await start(kim, "two"),
    ];
    expect(new Set(first).size).toBe(4);
    expect([
      await start(robin, "one"),
      await start(robin, "two"),
      await start(kim, "one"),
      await start(kim, "two"),
    ]).toEqual(first);
  });

  it("remembers a key for a day", async () => {
    const { as, db, clock } = await createTestApp();
    await (await as()).start({}, { "idempotency-key": "one" });
    const remembered = async () => {
      await forgetOldKeys.run({ db, clock });
      return (await db.selectFrom("idempotency_keys").select("key").execute()).length;
    };
    await clock.advance(24 * 60 * 60_000);
    expect(await remembered()).toBe(1);
    await clock.advance(1);
    expect(await remembered()).toBe(0);
  });

  it("counts neither devices that have ended nor those of other organizations", async () => {
    const { as, db, clock } = await createTestApp();
    const organization = await anOrganization(db, { instances_max: 1 });
    const robin = await as({ organization });
    await (await as()).start();
    const first = await robin.start();
    expect([first.statusCode, (await robin.start()).json().code]).toEqual([201, "TOO_MANY_RUNNING_VDS"]);
    const ended = { uuid: first.json().uuid as string, now: new Date(clock.now()) };
    for (const event of ["stop", "stopped", "deleted"] as const) await moveInstance(db, { ...ended, event });
    // Its name is free again, too.
    expect((await robin.start()).json().name).toBe("one");
  });

  it("holds the organization's limit against parallel starts", async () => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db, { instances_max: 10 });
    const [robin, kim] = [await as({ organization }), await as({ organization })];
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? robin : kim).start()));
    const codes = answers.map((answer) => (answer.statusCode === 201 ? "started" : answer.json().code));
    expect(codes.filter((code) => code === "started")).toHaveLength(10);
    expect(codes.filter((code) => code === "TOO_MANY_RUNNING_VDS")).toHaveLength(30);
  });

  it("lets one user start 300 times a minute, and says when the next may come", async () => {
    const { as, db, clock } = await createTestApp();
    const organization = await anOrganization(db, { instances_max: 0 });
    const [robin, kim] = [await as({ organization }), await as({ organization })];
    for (let starts = 0; starts < 300; starts++) await robin.start();
    await clock.advance(20_000);
    const refused = await robin.start();
    expect([refused.statusCode, refused.json().code, refused.headers["retry-after"]]).toEqual([
      429,
      "TOO_MANY_REQUESTS",
      "40",
    ]);
    expect((await kim.start()).json().code).toBe("TOO_MANY_RUNNING_VDS");
    await clock.advance(40_000);
    expect((await robin.start()).json().code).toBe("TOO_MANY_RUNNING_VDS");
  });

  it("numbers a name that is taken, or refuses it", async () => {
    const { as } = await createTestApp();
    const robin = await as();
    const names = [await robin.start(), await robin.start(), await robin.start()].map((answer) => answer.json().name);
    expect(names).toEqual(["one", "one (2)", "one (3)"]);
    expect((await (await as()).start()).json().name).toBe("one");
    const long = { instance_name: "x".repeat(250) };
    await robin.start(long);
    expect((await robin.start(long)).json().name).toBe(`${"x".repeat(246)} (2)`);
    expect((await robin.start({ rename_on_conflict: false })).json().code).toBe("INSTANCE_NAME_TAKEN");
  });

  it.each([
    [{ license_is_active: false }, "INVALID_LICENSE"],
    [{ license_expires_at: new Date("2026-01-01T00:00:00Z") }, "LICENSE_EXPIRED"],
    // The test clock's time: it ends at that moment, not after it.
    [{ license_expires_at: new Date("2026-03-02T09:00:00Z") }, "LICENSE_EXPIRED"],
    [{ supported_arch: ["x86"] }, "ARCH_NOT_SUPPORTED"],
    [{ instances_max: 0 }, "TOO_MANY_RUNNING_VDS"],
  ])("refuses an organization with %j", async (fields, code) => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db, fields);
    expect((await (await as({ organization })).start()).json().code).toBe(code);
  });

  it("says when the image's runtime is not set up", async () => {
    const { as } = await createTestApp({ runtimes: [] });
    expect((await (await as()).start()).json().code).toBe("RUNTIME_NOT_CONFIGURED");
  });

  it("refuses a recipe that is not ready, and one that does not exist", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    await db.updateTable("recipes").set({ status: "UPDATING" }).execute();
    expect((await robin.start()).json().code).toBe("RECIPE_NOT_READY");
    expect((await robin.post(`/v1/recipes/${unknown}/start-disposable`, { instance_name: "x" })).json().code).toBe(
      "RECIPE_NOT_FOUND",
    );
    expect((await robin.post("/v1/recipes/abc/start-disposable", { instance_name: "x" })).json().code).toBe(
      "INVALID_IDENTIFIER",
    );
  });

  it("tells whose recipe a device is of, alone and in the list", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    const { uuid: owner, organization_uuid, email, first_name, last_name } = robin.user;
    const recipe = await aCustom(db, "recipes", robin.user);
    const { uuid } = (await robin.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name: "x" })).json();
    const expected = {
      source: "CUSTOM",
      owner: { uuid: owner, email, first_name, last_name, organization: { uuid: organization_uuid } },
    };
    expect((await robin.get(`/v1/instances/${uuid}`)).json().recipe).toMatchObject(expected);
    expect((await robin.get("/v2/instances")).json().results[0].recipe).toMatchObject(expected);
  });

  it("shows a guest no recipe that was not shared with them", async () => {
    const { as } = await createTestApp();
    const guest = await as({ role: "guest" });
    expect((await guest.get("/v3/recipes")).json()).toMatchObject({ count: 0, results: [] });
  });

  it.each([
    { instance_name: "" },
    { instance_name: "x".repeat(251) },
    { instance_name: "a\u0000b" },
    { instance_name: 7 },
    { instance_name: "x", timeouts: { global: -1 } },
    { instance_name: "x", timeouts: { inactivity: 1.5 } },
    { instance_name: "x", automatic_release: { type: "never" } },
  ])("refuses the body %j", async (body) => {
    const { as } = await createTestApp();
    const answer = await (await as()).start(body);
    expect([answer.statusCode, answer.json().code]).toEqual([400, "invalid_request"]);
    expect(answer.json().fields[0].field).not.toBe("");
  });
});

describe("a device's rights", () => {
  it("are its owner's; a manager sees and ends it, a colleague may not, a stranger knows nothing", async () => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db);
    const owner = await as({ organization });
    const uuid: string = (await owner.start()).json().uuid;
    const people = {
      owner,
      manager: await as({ organization, role: "manager" }),
      colleague: await as({ organization }),
      stranger: await as({ role: "manager" }),
      guest: await as({ role: "guest" }),
    };
    const seen: Record<string, unknown> = {};
    for (const [who, person] of Object.entries(people)) {
      const answers = [
        await person.get(`/v1/instances/${uuid}`),
        await person.post("/v1/instances/access-token", { instance_uuid: uuid }),
      ];
      seen[who] = answers.map((answer) =>
        answer.statusCode === 200 ? 200 : `${answer.statusCode} ${answer.json().code}`,
      );
    }
    expect(seen).toEqual({
      owner: [200, 200],
      manager: [200, "403 INSTANCE_NOT_ALLOWED"],
      colleague: ["403 INSTANCE_NOT_ALLOWED", "403 INSTANCE_NOT_ALLOWED"],
      stranger: ["404 INSTANCE_NOT_FOUND", "404 INSTANCE_NOT_FOUND"],
      guest: ["404 INSTANCE_NOT_FOUND", "404 INSTANCE_NOT_FOUND"],
    });
    const strange = (await people.stranger.post(`/v1/instances/${uuid}/stop-disposable`)).json();
    const nothing = (await people.stranger.post(`/v1/instances/${unknown}/stop-disposable`)).json();
    expect({ ...strange, request_id: "" }).toEqual({ ...nothing, request_id: "" });
    for (const [verb, code, message] of [
      ["stop-disposable", "INSTANCE_STOP_NOT_ALLOWED", "You are not allowed to stop this virtual device."],
      ["dismiss", "INSTANCE_DISMISS_NOT_ALLOWED", "You are not allowed to dismiss this virtual device."],
    ]) {
      const answer = await people.colleague.post(`/v1/instances/${uuid}/${verb}`);
      expect([answer.statusCode, answer.json()]).toEqual([403, expect.objectContaining({ code, message })]);
    }
    expect((await people.manager.post(`/v1/instances/${uuid}/stop-disposable`)).json().state).toBe("STOPPING");
  });
});

describe("POST /v1/instances/:uuid/stop-disposable", () => {
  it("takes an empty JSON body, a repeated call, and gives 404 when it is over", async () => {
    const { as, db, call, clock } = await createTestApp();
    const robin = await as();
    const uuid: string = (await robin.start()).json().uuid;
    const stop = () =>
      call("POST", `/v1/instances/${uuid}/stop-disposable/`, {
        headers: { ...robin.headers, "content-type": "application/json" },
      });
    expect((await stop()).json().state).toBe("STOPPING");
    expect((await stop()).json().state).toBe("STOPPING");
    const now = new Date(clock.now());
    await moveInstance(db, { uuid, event: "stopped", now });
    await moveInstance(db, { uuid, event: "deleted", now });
    expect([(await stop()).statusCode, (await stop()).json().code]).toEqual([404, "INSTANCE_ENDED"]);
    const details = await db.selectFrom("instances").select("recipe_uuid").executeTakeFirst();
    expect((await robin.get(`/v1/instances/${uuid}`)).json()).toMatchObject({ details });
    expect((await robin.get("/v2/instances")).json().count).toBe(0);
  });
});

describe("moveInstance", () => {
  it("writes nothing for a gateway that lost its lease", async () => {
    const { as, db, clock } = await createTestApp();
    const uuid: string = (await (await as()).start()).json().uuid;
    const now = new Date(clock.now());
    expect(await moveInstance(db, { uuid, event: "powered", epoch: 7, now })).toBeUndefined();
    expect(await moveInstance(db, { uuid, event: "powered", epoch: 0, now })).toMatchObject({
      state: "STARTING",
      revision: 2,
    });
  });

  it("moves once when two try, and keeps a gapless history", async () => {
    const { as, db, clock } = await createTestApp();
    const uuid: string = (await (await as()).start()).json().uuid;
    const now = new Date(clock.now());
    const moves = await Promise.all([1, 2, 3].map(() => moveInstance(db, { uuid, event: "stop", now })));
    expect(moves.filter(Boolean)).toHaveLength(1);
    const history = await db
      .selectFrom("instance_events")
      .select(["event", "from_state", "to_state", "revision"])
      .orderBy("id")
      .execute();
    expect(history).toEqual([
      { event: "ask", from_state: null, to_state: "CREATING", revision: 1 },
      { event: "stop", from_state: "CREATING", to_state: "STOPPING", revision: 2 },
    ]);
  });
});

describe("POST /v1/instances/access-token", () => {
  it("comes with credentials for who relays video, where somebody does", async () => {
    const turn = { urls: ["turn:turn.example.com:3478"], secret: "north" };
    const { as, clock } = await createTestApp({ turn });
    const robin = await as();
    await robin.start();
    const answer = (await robin.post("/v1/instances/access-token", {})).json();
    expect(answer).toMatchObject({ ice_servers: iceServersFor(turn, robin.user.uuid, clock.now()) });
    const kim = await (await createTestApp()).as();
    await kim.start();
    expect((await kim.post("/v1/instances/access-token", {})).json()).not.toHaveProperty("ice_servers");
  });
});
