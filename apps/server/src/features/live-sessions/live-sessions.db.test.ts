import { type Instance, limits, type LiveSession } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { connectSocket } from "../../testing/connect-socket.ts";
import { secretFor } from "../../platform/secrets.ts";
import { outcomeOf, sharing } from "../../testing/sharing.ts";
import { accessTokens } from "../instances/access-tokens.ts";
import { displayAccess } from "../instances/display-access.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { lookUpsOfUser } from "../users/look-up.ts";
import { type HeldParticipant, watchParticipants } from "./watch-participants.ts";
import { createLog } from "../../platform/log.ts";

type Sharing = Awaited<ReturnType<typeof sharing>>;
type Person = Sharing["robin"];
const unknown = "9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11";

/** Robin's device, and what people do with its live session. */
async function live(options?: Parameters<typeof sharing>[0]) {
  const test = await sharing(options);
  const { robin, call } = test;
  const device = (await robin.start({ instance_name: "Fern 1" })).json<Instance>().uuid;
  const create = (invitations: (string | undefined)[] = [], body: object = {}, who = robin) =>
    who.post("/v1/livesessions/", { instance: device, invitations, ...body });
  const begun = async (...people: { user: { email: string } }[]) =>
    (await create(people.map(({ user }) => user.email))).json<LiveSession>();
  const invite = (livesession: string, invitations: string[], who = robin) =>
    who.post("/v1/livesessions/participants/", { livesession, invitations });
  const setControl = (participant: string | undefined, can_control: boolean, who = robin) =>
    call("PATCH", `/v1/livesessions/participants/${participant}`, { body: { can_control }, headers: who.headers });
  const seen = async (who: Person) => outcomeOf(await who.get(`/v1/instances/${device}`));
  return { ...test, device, create, begun, invite, setControl, seen };
}

describe("POST /v1/livesessions", () => {
  it("makes those who are invited participants at once, and mails them the message", async () => {
    const { robin, kim, gil, device, create, mails } = await live();
    const answer = await create([kim.user.email.toUpperCase(), gil.user.uuid, robin.user.email], {
      message: "Look at <this>\n\nand that.",
    });
    expect(answer.statusCode).toBe(201);
    const session = answer.json<LiveSession>();
    expect(session).toEqual({
      uuid: expect.any(String) as string,
      created_at: expect.any(String) as string,
      owner: {
        genyid: robin.user.uuid,
        first_name: robin.user.first_name,
        last_name: robin.user.last_name,
        email: robin.user.email,
      },
      participants: [
        // Nothing but the address is told of a guest.
        { ...session.participants[0], genyid: gil.user.uuid, email: gil.user.email, first_name: "", last_name: "" },
        {
          ...session.participants[1],
          genyid: kim.user.uuid,
          email: kim.user.email,
          first_name: kim.user.first_name,
          can_control: true,
        },
      ],
      instance: { uuid: device, name: "Fern 1" },
    });
    for (const person of [robin, kim, gil])
      expect((await person.get(`/v1/livesessions/${session.uuid}/`)).json()).toMatchObject({ uuid: session.uuid });
    const [toGil, toKim, ...others] = await mails();
    expect([toGil?.to_address, toKim?.to_address, others]).toEqual([gil.user.email, kim.user.email, []]);
    expect(toKim?.subject).toBe("robin Reed invites you to “Fern 1”");
    expect(toKim?.text).toContain("Look at <this>\n\nand that.\n\n");
    expect(toKim?.html).toContain(`href="http://localhost:0/live-session/${session.uuid}"`);
  });

  it("adds people to the session that the device has, and mails nobody twice", async () => {
    const { kim, gil, create, begun, mails } = await live();
    const first = await begun(kim);
    const second = (await create([kim.user.email, gil.user.email])).json<LiveSession>();
    expect([second.uuid, second.participants.map(({ email }) => email)]).toEqual([
      first.uuid,
      [gil.user.email, kim.user.email],
    ]);
    expect((await mails()).map(({ to_address }) => to_address)).toEqual([gil.user.email, kim.user.email]);
  });

  it("mails nobody who cannot sign in", async () => {
    const { db, kim, begun, mails } = await live();
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", kim.user.uuid).execute();
    expect((await begun(kim)).participants).toHaveLength(1);
    expect(await mails()).toEqual([]);
  });

  it("refuses what is not valid, and names who is unknown", async () => {
    const { create, otto, kim, db, device } = await live();
    const refused = await create([kim.user.email, "nobody@fern.test", otto.user.email]);
    expect(refused.json()).toMatchObject({
      code: "RECIPIENTS_NOT_FOUND",
      details: { unknown: `nobody@fern.test, ${otto.user.email}` },
    });
    expect(outcomeOf(await create(["no address"]))).toBe("400 invalid_request");
    const longest = "x".repeat(limits.liveSessionMessageLength);
    expect(outcomeOf(await create([], { message: `${longest}x` }))).toBe("400 invalid_request");
    expect(outcomeOf(await create([], { instance: unknown }))).toBe("404 INSTANCE_NOT_FOUND");
    expect(await db.selectFrom("live_sessions").selectAll().execute()).toEqual([]);
    expect(outcomeOf(await create([], { message: longest }))).toBe("201");
    await db.updateTable("instances").set({ state: "SAVING" }).where("uuid", "=", device).execute();
    expect(outcomeOf(await create())).toBe("409 INSTANCE_NOT_RUNNING");
  });

  it("is for the owner of the device alone", async () => {
    const { create, begun, kim, gil, manager, stranger, otto } = await live();
    for (const who of [kim, manager]) expect(outcomeOf(await create([], {}, who))).toBe("403 INSTANCE_NOT_ALLOWED");
    for (const who of [gil, otto, stranger])
      expect(outcomeOf(await create([], {}, who))).toBe("404 INSTANCE_NOT_FOUND");
    await begun(kim, gil);
    for (const [who, refusal] of [
      [kim, "403 INSTANCE_NOT_ALLOWED"],
      [gil, "404 INSTANCE_NOT_FOUND"],
    ] as const)
      expect(outcomeOf(await create([], {}, who))).toBe(refusal);
  });

  it("lets guests share too, with people of the organization that the device counts for", async () => {
    const { gil, kim, otto, share, startAs, create, limiterTakes } = { ...(await live()), limiterTakes: lookUpsOfUser };
    await share(gil);
    const { uuid: instance } = (await startAs(gil)).json<Instance>();
    expect(outcomeOf(await create([otto.user.email], { instance }, gil))).toBe("404 RECIPIENTS_NOT_FOUND");
    const session = (await create([kim.user.email], { instance }, gil)).json<LiveSession>();
    expect(session.participants).toMatchObject([{ genyid: kim.user.uuid, first_name: "" }]);
    // Addresses of the organization count for them as those of strangers do.
    const keys = Array.from({ length: 50 }, (_, index) => `nobody-${index}@fern.test`);
    let outcome = "";
    for (let round = 0; round <= limiterTakes.max / keys.length && !outcome.startsWith("429"); round++)
      outcome = outcomeOf(
        await create(
          keys.map((key) => `${round}${key}`),
          { instance },
          gil,
        ),
      );
    expect(outcome).toBe("429 TOO_MANY_REQUESTS");
    expect(outcomeOf(await create([kim.user.email], { instance }, gil))).toBe("429 TOO_MANY_REQUESTS");
  });
});

describe("the limit of five people, the owner among them", () => {
  it("holds in one call", async () => {
    const { kim, manager, gil, otto, oona, create, begun, invite, robin } = await live();
    const all = [kim, manager, gil, otto, oona].map(({ user }) => user.uuid);
    expect(outcomeOf(await create(all))).toBe("409 LIVE_SESSION_FULL");
    const { uuid } = await begun(kim);
    expect(outcomeOf(await invite(uuid, all))).toBe("409 LIVE_SESSION_FULL");
    expect(outcomeOf(await invite(uuid, all.slice(0, 4)))).toBe("201");
    expect((await robin.get(`/v1/livesessions/${uuid}`)).json<LiveSession>().participants).toHaveLength(4);
    // Who takes part already needs no place.
    expect(outcomeOf(await invite(uuid, all.slice(0, 4)))).toBe("201");
    expect(outcomeOf(await invite(uuid, all.slice(4)))).toBe("409 LIVE_SESSION_FULL");
  });

  it("holds for ten who are invited at once, however they are", async () => {
    const { as, own, robin, device, create, begun, invite } = await live();
    const people = await Promise.all(Array.from({ length: 10 }, () => as({ organization: own })));
    const { uuid } = await begun();
    const outcomes = await Promise.all(
      people.map(async ({ user }, index) =>
        outcomeOf(await (index % 2 ? invite(uuid, [user.email]) : create([user.uuid]))),
      ),
    );
    expect(outcomes.sort()).toEqual([
      ...Array.from({ length: 4 }, () => "201"),
      ...Array.from({ length: 6 }, () => "409 LIVE_SESSION_FULL"),
    ]);
    const { results } = (await robin.get(`/v1/livesessions/?instance=${device}`)).json<{ results: LiveSession[] }>();
    expect(results.map(({ participants }) => participants.length)).toEqual([4]);
  });
});

describe("GET /v1/livesessions", () => {
  it("lists one's own and those one takes part in, page by page", async () => {
    const { robin, kim, gil, otto, manager, startAs, create, begun, clock } = await live();
    const first = await begun(kim);
    await clock.advance(60_000);
    const another = (await robin.start({ instance_name: "Moss" })).json<Instance>().uuid;
    const second = (await create([gil.user.email], { instance: another })).json<LiveSession>();
    await clock.advance(60_000);
    const kims = (await startAs(kim)).json<Instance>().uuid;
    const third = (await create([robin.user.email], { instance: kims }, kim)).json<LiveSession>();
    const list = async (who: Person, query = "") => {
      const { count, results } = (await who.get(`/v1/livesessions/${query}`)).json<{
        count: number;
        results: LiveSession[];
      }>();
      return [count, results.map(({ uuid }) => uuid)];
    };
    expect(await list(robin)).toEqual([3, [third.uuid, second.uuid, first.uuid]]);
    expect(await list(kim)).toEqual([2, [third.uuid, first.uuid]]);
    expect(await list(gil)).toEqual([1, [second.uuid]]);
    for (const who of [otto, manager]) expect(await list(who)).toEqual([0, []]);
    expect(await list(robin, "?page=2&page_size=1")).toEqual([3, [second.uuid]]);
    expect(await list(robin, `?instance=${another}`)).toEqual([1, [second.uuid]]);
    expect(await list(gil, `?instance=${kims}`)).toEqual([0, []]);
    expect(await list(robin, "?search=mos")).toEqual([1, [second.uuid]]);
    expect(await list(robin, `?search=${kim.user.email}`)).toEqual([1, [third.uuid]]);
    expect(await list(robin, "?ordering=name")).toEqual([3, [first.uuid, second.uuid, third.uuid]]);
  });
});

describe("a session that is not one's own", () => {
  it("is refused to colleagues, and is not there for anybody else", async () => {
    const { kim, gil, manager, otto, stranger, begun, invite, setControl, robin } = await live();
    const { uuid, participants } = await begun(gil);
    const participant = participants[0]?.uuid;
    for (const [who, refusal] of [
      [kim, "403 LIVE_SESSION_NOT_ALLOWED"],
      [manager, "403 LIVE_SESSION_NOT_ALLOWED"],
      [otto, "404 LIVE_SESSION_NOT_FOUND"],
      [stranger, "404 LIVE_SESSION_NOT_FOUND"],
    ] as const) {
      expect(outcomeOf(await who.get(`/v1/livesessions/${uuid}`))).toBe(refusal);
      expect(outcomeOf(await who.delete(`/v1/livesessions/${uuid}`))).toBe(refusal);
      expect(outcomeOf(await invite(uuid, [who.user.email], who))).toBe(refusal);
      expect(outcomeOf(await setControl(participant, false, who))).toBe("404 PARTICIPANT_NOT_FOUND");
      expect(outcomeOf(await who.delete(`/v1/livesessions/participants/${participant}`))).toBe(
        "404 PARTICIPANT_NOT_FOUND",
      );
    }
    expect(outcomeOf(await robin.get(`/v1/livesessions/${unknown}`))).toBe("404 LIVE_SESSION_NOT_FOUND");
    expect(outcomeOf(await robin.get("/v1/livesessions/one"))).toBe("400 INVALID_IDENTIFIER");
  });

  it("is a participant's to see and to leave, and not to change", async () => {
    const { kim, gil, begun, invite, setControl } = await live();
    const { uuid, participants } = await begun(kim, gil);
    const [kims, gils] = [kim, gil].map(({ user }) => participants.find(({ genyid }) => genyid === user.uuid)?.uuid);
    const refusal = "403 LIVE_SESSION_NOT_OWNED";
    expect(outcomeOf(await kim.delete(`/v1/livesessions/${uuid}`))).toBe(refusal);
    expect(outcomeOf(await invite(uuid, [gil.user.uuid], kim))).toBe(refusal);
    expect(outcomeOf(await setControl(kims, true, kim))).toBe(refusal);
    expect(outcomeOf(await kim.delete(`/v1/livesessions/participants/${gils}`))).toBe(refusal);
    expect(outcomeOf(await kim.delete(`/v1/livesessions/participants/${kims}`))).toBe("204");
    expect(outcomeOf(await kim.get(`/v1/livesessions/${uuid}`))).toBe("403 LIVE_SESSION_NOT_ALLOWED");
  });
});

describe("what a participant may do with the device", () => {
  it("is to see it and to open its display, not to stop or to save it, nor to install apps or dismiss it", async () => {
    const { kim, gil, otto, device, begun, seen, db, clock, share, startAs } = await live();
    for (const [who, refusal] of [
      [kim, "403 INSTANCE_NOT_ALLOWED"],
      [gil, "404 INSTANCE_NOT_FOUND"],
    ] as const)
      expect(await seen(who)).toBe(refusal);
    await begun(kim, gil);
    const told = (await gil.get(`/v1/instances/${device}`)).json<Instance>();
    expect(told).toMatchObject({ uuid: device, recipe: null, save: null, can_save: false });
    expect(await seen(otto)).toBe("404 INSTANCE_NOT_FOUND");
    const tokens = accessTokens(await secretFor(db, "access-tokens"), clock);
    const answer = await kim.post("/v1/instances/access-token", { instance_uuid: device });
    const { access_token } = answer.json<{ access_token: string }>();
    expect(await tokens.read(access_token)).toMatchObject({
      instance: device,
      user: kim.user.uuid,
      role: "participant",
    });
    for (const [who, code] of [
      [kim, 403],
      [gil, 404],
    ] as const) {
      expect((await who.post(`/v1/instances/${device}/stop-disposable`)).statusCode).toBe(code);
      expect((await who.post(`/v1/instances/${device}/save`, { action: "update" })).statusCode).toBe(code);
      expect((await who.post(`/v1/instances/${device}/dismiss`)).statusCode).toBe(code);
    }
    expect((await gil.get("/v2/instances")).json()).toMatchObject({ count: 0 });
    // Without a device it is one's own newest, never somebody else's.
    expect(outcomeOf(await gil.post("/v1/instances/access-token", {}))).toBe("404 INSTANCE_NOT_FOUND");
    await share(gil);
    const { uuid: own } = (await startAs(gil)).json<Instance>();
    const opened = (await gil.post("/v1/instances/access-token", {})).json<{ access_token: string }>();
    expect(await tokens.read(opened.access_token)).toMatchObject({ instance: own, role: "owner" });
  });

  it("ends for their tokens as soon as they no longer take part", async () => {
    const { robin, kim, device, begun, setControl, db, clock } = await live();
    const { uuid, participants } = await begun(kim);
    const tokens = accessTokens(await secretFor(db, "access-tokens"), clock);
    const open = displayAccess({ db, clock }, tokens);
    const tokenOf = async (who: Person) =>
      (await who.post("/v1/instances/access-token", { instance_uuid: device })).json<{ access_token: string }>()
        .access_token;
    const [own, kims] = [await tokenOf(robin), await tokenOf(kim)];
    expect(await open(own)).toMatchObject({ role: "owner" });
    expect(await open(kims)).toMatchObject({ role: "participant", viewOnly: false });
    await setControl(participants[0]?.uuid, false);
    expect(await open(kims)).toMatchObject({ viewOnly: true });
    expect(await open(own)).not.toHaveProperty("viewOnly");
    expect(outcomeOf(await robin.delete(`/v1/livesessions/participants/${participants[0]?.uuid}/`))).toBe("204");
    expect(await open(kims)).toBe("wrong");
    expect(outcomeOf(await kim.post("/v1/instances/access-token", { instance_uuid: device }))).toBe(
      "403 INSTANCE_NOT_ALLOWED",
    );
    expect((await robin.get(`/v1/livesessions/${uuid}`)).json()).toMatchObject({ participants: [] });
    // A role that a token names is not enough.
    const { credential } = (await tokens.read(kims)) as { credential: string };
    const forged = await tokens.issue({ instance: device, user: kim.user.uuid, role: "owner", credential });
    expect(await open(forged.access_token)).toBe("wrong");
  });
});

describe("the end of a session", () => {
  it("comes when its owner ends it", async () => {
    const { robin, kim, begun, seen } = await live();
    const { uuid } = await begun(kim);
    expect(outcomeOf(await robin.delete(`/v1/livesessions/${uuid}/`))).toBe("204");
    expect(outcomeOf(await robin.get(`/v1/livesessions/${uuid}`))).toBe("404 LIVE_SESSION_NOT_FOUND");
    expect(await seen(kim)).toBe("403 INSTANCE_NOT_ALLOWED");
    expect(outcomeOf(await robin.delete(`/v1/livesessions/${uuid}/`))).toBe("404 LIVE_SESSION_NOT_FOUND");
  });

  it.each(["stop", "fail", "expire", "revoke"] as const)("comes with the device’s: %s", async (event) => {
    const { kim, begun, device, db, clock } = await live();
    const { uuid } = await begun(kim);
    await moveInstance(db, { uuid: device, event: "powered", now: new Date(clock.now()) });
    expect(outcomeOf(await kim.get(`/v1/livesessions/${uuid}`))).toBe("200");
    await moveInstance(db, { uuid: device, event, now: new Date(clock.now()) });
    expect(outcomeOf(await kim.get(`/v1/livesessions/${uuid}`))).toBe("404 LIVE_SESSION_NOT_FOUND");
    expect(await db.selectFrom("live_session_participants").selectAll().execute()).toEqual([]);
  });

  it("comes for a participant with their account", async () => {
    const { robin, kim, begun } = await live();
    const { uuid } = await begun(kim);
    await kim.delete(`/v1/users/${kim.user.uuid}`, { password: kim.user.password });
    expect((await robin.get(`/v1/livesessions/${uuid}`)).json()).toMatchObject({ participants: [] });
  });
});

it("everybody concerned hears of changes, and nobody else", async () => {
  const test = await live({ listen: true });
  const { robin, begun, invite, people } = test;
  const sockets = Object.fromEntries(
    await Promise.all(
      Object.entries(people).map(async ([who, person]) => [who, await connectSocket(test.port, person)] as const),
    ),
  ) as Record<keyof typeof people, Awaited<ReturnType<typeof connectSocket>>>;
  const heard = async (who: keyof typeof people, count: number) =>
    (await sockets[who].count(count))
      .filter(({ channel }) => channel === "live-sessions-updates")
      .map(({ is_invited, is_gone }) => (is_invited ? "invited" : is_gone ? "gone" : "changed"));
  const { uuid, participants } = await begun(people.kim);
  await invite(uuid, [people.gil.user.email]);
  await robin.delete(`/v1/livesessions/participants/${participants[0]?.uuid}`);
  await robin.delete(`/v1/livesessions/${uuid}`);
  expect(await heard("kim", 3)).toEqual(["invited", "changed", "gone"]);
  expect(await heard("gil", 3)).toEqual(["invited", "changed", "gone"]);
  expect((await heard("robin", 6)).at(-1)).toMatch(/gone|changed/);
  for (const who of ["otto", "oona", "stranger", "manager"] as const) expect(await heard(who, 0)).toEqual([]);
});

it("changes are recorded for the managers of the device’s organization", async () => {
  const { robin, kim, device, begun, setControl, db } = await live();
  const { uuid, participants } = await begun(kim);
  await setControl(participants[0]?.uuid, false);
  await robin.delete(`/v1/livesessions/participants/${participants[0]?.uuid}`);
  await robin.delete(`/v1/livesessions/${uuid}`);
  const { rows } = await sql<{ action: string; details: object }>`SELECT action, details FROM audit_records
    WHERE subject_uuid = ${device} AND action <> 'instance.start' AND organization_uuid = ${robin.user.organization_uuid}
    ORDER BY id`.execute(db);
  const users = kim.user.uuid;
  expect(rows).toEqual([
    { action: "instance.share", details: { users } },
    { action: "instance.set_control", details: { users, can_control: false } },
    { action: "instance.unshare", details: { users } },
    { action: "instance.unshare", details: { users: "" } },
  ]);
});

describe("what participants have open", () => {
  it("is closed when they no longer take part, and follows what they may do", async () => {
    const { robin, kim, gil, device, begun, setControl, db, url, clock } = await live();
    const { uuid, participants } = await begun(kim, gil);
    const held = new Map<string, HeldParticipant>(
      [kim, gil].map(({ user }) => [user.uuid, { instance: device, user: user.uuid, canControl: true }]),
    );
    const heard: string[] = [];
    const waiting: (() => void)[] = [];
    const note = (what: string, { user }: HeldParticipant) => {
      heard.push(`${user === kim.user.uuid ? "kim" : "gil"} ${what}`);
      for (const wake of waiting.splice(0)) wake();
    };
    const until = async (count: number) => {
      while (heard.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return heard;
    };
    const end = new AbortController();
    const { stopped } = await watchParticipants(
      { db, databaseUrl: url, clock, log: createLog("silent", "test"), signal: end.signal },
      {
        participants: () => held.values(),
        participantLeft: (who) => {
          held.delete(who.user);
          note("left", who);
        },
        controlChanged: (who) => {
          held.set(who.user, who);
          note(who.canControl ? "may touch" : "may watch", who);
        },
      },
    );
    const kims = participants.find(({ genyid }) => genyid === kim.user.uuid)?.uuid;
    await setControl(kims, false);
    expect(await until(1)).toEqual(["kim may watch"]);
    await setControl(kims, true);
    expect(await until(2)).toEqual(["kim may watch", "kim may touch"]);
    await robin.delete(`/v1/livesessions/participants/${kims}`);
    expect((await until(3)).at(-1)).toBe("kim left");
    await robin.delete(`/v1/livesessions/${uuid}`);
    expect((await until(4)).at(-1)).toBe("gil left");
    end.abort();
    await stopped;
  });
});
