import { type EmbedLink, type Instance, limits } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { secretFor } from "../../platform/secrets.ts";
import { outcomeOf, sharing } from "../../testing/sharing.ts";
import { accessTokens } from "../instances/access-tokens.ts";
import { displayAccess } from "../instances/display-access.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
import { moveInstance } from "../instances/move-instance.ts";

const HOUR_MS = 60 * 60_000;
const portal = "https://portal.example";
const publicUrl = "https://devices.example";

/** Robin's device, a link to it, and what strangers get by it. */
async function create() {
  const test = await sharing({ publicUrl });
  const { robin, db, clock, call } = test;
  const device = (await robin.start({ instance_name: "payments-smoke" })).json<Instance>().uuid;
  const path = `/v1/instances/${device}/embed-links`;
  const link = async (body: object = {}, who: Pick<typeof robin, "post"> = robin) => {
    const made = (await who.post(path, { hours: 1, ...body })).json<EmbedLink & { url: string }>();
    return { ...made, key: /^https:\/\/devices\.example\/embed\/([\w-]{43})$/.exec(made.url)?.[1] ?? "" };
  };
  const open = (key: string, origin?: string) =>
    call("POST", "/v1/embed-links/open", { body: { key }, ...(origin && { headers: { origin } }) });
  const page = (key: string) => test.app.http.inject({ method: "GET", url: `/embed/${key}` });
  const list = (...embed_origins: string[]) =>
    db.updateTable("organizations").set({ embed_origins }).where("uuid", "=", test.own).execute();
  const tokens = accessTokens(await secretFor(db, "access-tokens"), clock);
  const grant = displayAccess({ db, clock }, tokens);
  return { ...test, device, path, link, open, page, list, tokens, grant };
}

describe("a link for pages of others", () => {
  it.each([
    [undefined, true],
    [true, false],
  ])(
    "opens the display of its device, to touch it if it says so (%s), and nothing else",
    async (can_control, viewOnly) => {
      const { robin, device, link, open, grant, clock } = await create();
      const made = await link({ can_control });
      expect(made).toMatchObject({
        can_control: can_control ?? false,
        expires_at: new Date(clock.now() + HOUR_MS).toISOString(),
      });
      const opened = (await open(made.key)).json<{ access_token: string }>();
      expect(opened).toEqual({
        webrtc_url: `wss://devices.example/cloud/instances/${device}/player`,
        access_token: expect.any(String) as string,
        expires_at: expect.any(String) as string,
        can_control: can_control ?? false,
      });
      expect(await grant(opened.access_token)).toMatchObject({
        instanceUuid: device,
        role: "participant",
        user: made.uuid,
        link: made.uuid,
        viewOnly,
      });
      expect(JSON.stringify(opened)).not.toContain(robin.user.uuid);
    },
  );

  it("is kept as a hash, listed without its key, and shown once", async () => {
    const { robin, db, path, link } = await create();
    const { key, url: _, ...made } = await link();
    expect((await robin.get(path)).json()).toEqual([made]);
    expect(JSON.stringify(await db.selectFrom("embed_links").selectAll().execute())).not.toContain(key);
  });

  it("ends at its hour, when it is ended, with the credential that made it, and while its maker is disabled", async () => {
    const { robin, db, clock, path, link, open, grant, audited } = await create();
    const status = async (key: string) => {
      const answer = await open(key);
      return answer.statusCode === 200 ? 200 : answer.json<{ code: string }>().code;
    };
    const one = await link();
    const { access_token } = (await open(one.key)).json<{ access_token: string }>();
    expect((await robin.delete(`${path}/${one.uuid}`)).statusCode).toBe(204);
    expect([await status(one.key), await grant(access_token)]).toEqual(["EMBED_LINK_NOT_FOUND", "wrong"]);
    expect((await robin.delete(`${path}/${one.uuid}`)).statusCode).toBe(204);
    expect((await audited()).map(({ action }) => action).filter((action) => /embed/.test(action))).toEqual([
      "instance.embed",
      "instance.stop_embedding",
    ]);

    const two = await link();
    const live = async () => [...(await findLiveCredentials(db, [two.uuid], new Date(clock.now())))];
    await clock.advance(HOUR_MS - 1);
    expect([await status(two.key), await live()]).toEqual([200, [two.uuid]]);
    const late = (await open(two.key)).json<{ access_token: string }>().access_token;
    await clock.advance(1);
    expect([await status(two.key), await grant(late), (await robin.get(path)).json(), await live()]).toEqual([
      "EMBED_LINK_NOT_FOUND",
      "wrong",
      [],
      [],
    ]);

    const three = await link();
    const enable = (is_enabled: boolean) =>
      db.updateTable("users").set({ is_enabled }).where("uuid", "=", robin.user.uuid).execute();
    await enable(false);
    expect(await status(three.key)).toBe("EMBED_LINK_NOT_FOUND");
    await enable(true);
    expect(await status(three.key)).toBe(200);
    await robin.post("/v1/users/signout");
    expect(await status(three.key)).toBe("EMBED_LINK_NOT_FOUND");
  });

  it("that an API token has made ends with it, not with a session", async () => {
    const { robin, path, open, call } = await create();
    const { uuid, token } = (await robin.post("/v1/api-tokens", { description: "portal" })).json<{
      uuid: string;
      token: string;
    }>();
    const headers = { "x-api-token": token };
    const { url } = (await call("POST", path, { headers, body: { hours: 24 } })).json<{ url: string }>();
    const key = url.split("/").at(-1) ?? "";
    expect((await open(key)).statusCode).toBe(200);
    await robin.delete(`/v1/api-tokens/${uuid}`);
    expect((await open(key)).json().code).toBe("EMBED_LINK_NOT_FOUND");
  });

  it("ends with its device, and waits for nobody's else", async () => {
    const { db, clock, device, link, open, grant } = await create();
    const { key } = await link();
    const { access_token } = (await open(key)).json<{ access_token: string }>();
    const move = (event: "stop" | "stopped" | "deleted") =>
      moveInstance(db, { uuid: device, event, now: new Date(clock.now()) });
    await move("stop");
    expect([(await open(key)).json().code, await grant(access_token)]).toEqual(["INSTANCE_NOT_RUNNING", "ended"]);
    await move("stopped");
    await move("deleted");
    expect((await open(key)).json().code).toBe("EMBED_LINK_NOT_FOUND");
  });

  it("is made, seen and ended by the owner of the device alone", async () => {
    const { robin, kim, gil, device, path, link, open } = await create();
    const { key, uuid } = await link();
    await robin.post("/v1/livesessions/", { instance: device, invitations: [kim.user.email, gil.user.email] });
    for (const who of [kim, gil])
      for (const answer of [
        await who.post(path, { hours: 1 }),
        await who.get(path),
        await who.delete(`${path}/${uuid}`),
      ])
        expect(outcomeOf(answer)).toEqual(outcomeOf(await who.post(path, { hours: 1 })));
    expect((await kim.post(path, { hours: 1 })).json().code).toBe("INSTANCE_NOT_ALLOWED");
    expect((await open(key)).statusCode).toBe(200);
  });

  it("is not made for longer than a day, in masses, or more than 20 for one device; and not guessed at", async () => {
    const { robin, path, open } = await create();
    for (const hours of [0, 2, 25, 168, "1", undefined])
      expect((await robin.post(path, { hours })).statusCode).toBe(400);
    for (let made = 0; made < limits.embedLinks; made++)
      expect((await robin.post(path, { hours: 1 })).statusCode).toBe(201);
    expect((await robin.post(path, { hours: 1 })).json().code).toBe("TOO_MANY_EMBED_LINKS");
    for (let made = limits.embedLinks + 1; made < 300; made++) await robin.post(path, { hours: 1 });
    expect((await robin.post(path, { hours: 1 })).json().code).toBe("TOO_MANY_REQUESTS");
    const answers = [];
    for (let guess = 0; guess <= 600; guess++) answers.push((await open(`guess-${guess}`)).statusCode);
    expect([answers.filter((status) => status === 404).length, answers.at(-1)]).toEqual([600, 429]);
  });
});

it("links that have ended leave room for others, and the most are the most for many at once", async () => {
  const { robin, path, call, db } = await create();
  const { uuid, token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json<Record<string, string>>();
  const headers = { "x-api-token": token ?? "" };
  for (let made = 0; made < limits.embedLinks; made++)
    expect((await call("POST", path, { headers, body: { hours: 24 } })).statusCode).toBe(201);
  await robin.delete(`/v1/api-tokens/${uuid}`);
  const answers = await Promise.all(
    Array.from({ length: limits.embedLinks + 5 }, async () => (await robin.post(path, { hours: 24 })).statusCode),
  );
  expect(answers.filter((status) => status === 201).length).toBe(limits.embedLinks);
  // Those that have ended are forgotten.
  expect((await db.selectFrom("embed_links").select("uuid").execute()).length).toBe(limits.embedLinks);
});

describe("the pages of others", () => {
  it("open a link where the device's organization lists their origin, and only there", async () => {
    const { link, open, list, db } = await create();
    const { key } = await link();
    const refused = await open(key, portal);
    expect([refused.json().code, refused.headers["access-control-allow-origin"]]).toEqual([
      "ORIGIN_NOT_ALLOWED",
      undefined,
    ]);
    await list(portal);
    const answer = await open(key, portal);
    expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([200, portal]);
    expect((await open(key, "https://other.example")).json().code).toBe("ORIGIN_NOT_ALLOWED");
    expect((await open(key, publicUrl)).statusCode).toBe(200);

    // Of another organization; to sign in is something else.
    await db
      .updateTable("organizations")
      .set({ embed_origins: [], allowed_origins: [portal] })
      .execute();
    await db
      .updateTable("organizations")
      .set({ embed_origins: ["https://moss.example"] })
      .where("uuid", "not in", (eb) => eb.selectFrom("instances").select("organization_uuid"))
      .execute();
    for (const origin of [portal, "https://moss.example"])
      expect((await open(key, origin)).json().code).toBe("ORIGIN_NOT_ALLOWED");
  });

  it("frame the page of a link where the organization lists them", async () => {
    const { link, page, list, robin, path } = await create();
    const { key, uuid } = await link();
    const ancestors = async (of = key) => {
      const { statusCode, headers, body } = await page(of);
      expect([headers["x-frame-options"], headers["cache-control"]]).toEqual([undefined, "no-store"]);
      const [, origins] = /frame-ancestors ([^;]*)/.exec(String(headers["content-security-policy"])) ?? [];
      return [statusCode, origins, body.includes("<terrarium-device")];
    };
    expect(await ancestors()).toEqual([200, "'self'", true]);
    await list(portal, "https://team.example:8443");
    expect(await ancestors()).toEqual([200, `'self' ${portal} https://team.example:8443`, true]);
    await robin.delete(`${path}/${uuid}`);
    expect(await ancestors()).toEqual([404, "*", false]);
    expect(await ancestors("%22%3E%3Cscript%3E")).toEqual([404, "*", false]);
  });
});
