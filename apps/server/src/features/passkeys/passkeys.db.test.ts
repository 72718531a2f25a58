import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../testing/sharing.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { CHALLENGE_MS } from "./challenges.ts";
import { deleteSpentChallenges } from "./passkeys.jobs.ts";
import { publicUrl, signedIn } from "./testing/signed-in.ts";
import { SoftwareAuthenticator } from "./testing/software-authenticator.ts";

describe("one's passkeys", () => {
  it("have names, which one can change; another is suggested for the next", async () => {
    const { add, robin, pathOf, shown, call, audited } = await signedIn();
    const { uuid } = await add(robin, "Firefox on Windows");
    const headers = { ...robin.headers, "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:147.0) Firefox/147.0" };
    const suggested = async () => (await call("GET", pathOf(robin), { headers })).json().suggested_name;
    expect(await suggested()).toBe("Firefox on Windows 2");
    await call("PATCH", `${pathOf(robin)}/${uuid}`, { headers: robin.headers, body: { name: "My key" } });
    expect(await shown()).toMatchObject([{ uuid, name: "My key" }]);
    expect(await suggested()).toBe("Firefox on Windows");
    expect((await audited()).map(({ action }) => action)).toContain("passkey.rename");
    const empty = await call("PATCH", `${pathOf(robin)}/${uuid}`, { headers: robin.headers, body: { name: " " } });
    expect(outcomeOf(empty)).toBe("400 invalid_request");
  });

  it("are not for programs: an API token neither sees nor changes them", async () => {
    const { robin, call, pathOf, add } = await signedIn();
    const { uuid } = await add();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json();
    const headers = { "x-api-token": token as string };
    const { password } = robin.user;
    const path = pathOf(robin);
    for (const answer of [
      await call("GET", path, { headers }),
      await call("POST", `${path}/options`, { headers, body: { password } }),
      await call("PATCH", `${path}/${uuid}`, { headers, body: { name: "ci" } }),
      await call("DELETE", `${path}/${uuid}`, { headers, body: { password } }),
    ])
      expect(outcomeOf(answer)).toBe("403 FORBIDDEN");
  });

  it("are for oneself only", async () => {
    const { robin, as, call, pathOf, add, begin, finish, shown } = await signedIn();
    const { uuid } = await add();
    const kim = await as({ role: "manager", organization: robin.user.organization_uuid ?? "" });
    const made = new SoftwareAuthenticator(publicUrl).make((await begin(kim)).json());
    const { password } = kim.user;
    const path = pathOf(robin);
    const rename = (of: string) => call("PATCH", `${of}/${uuid}`, { headers: kim.headers, body: { name: "Mine" } });
    for (const answer of [
      await kim.get(path),
      await kim.post(`${path}/options`, { password }),
      await kim.post(path, { name: "Mine", credential: made }),
      await rename(path),
      await kim.delete(`${path}/${uuid}`, { password }),
    ])
      expect(outcomeOf(answer)).toBe("403 FORBIDDEN");
    for (const answer of [await rename(pathOf(kim)), await kim.delete(`${pathOf(kim)}/${uuid}`, { password })])
      expect(outcomeOf(answer)).toBe("404 PASSKEY_NOT_FOUND");
    expect(await shown()).toMatchObject([{ uuid, name: "My phone" }]);
    // What Robin's session has begun.
    const theirs = new SoftwareAuthenticator(publicUrl).make((await begin()).json());
    expect(outcomeOf(await finish(theirs, kim))).toBe("403 PASSKEY_REFUSED");
  });

  it("are removed with the password, and the owner is told", async () => {
    const { add, robin, pathOf, shown, mails, audited } = await signedIn();
    const { uuid } = await add();
    const remove = (password: string) => robin.delete(`${pathOf(robin)}/${uuid}`, { password });
    expect(outcomeOf(await remove("wrong horse 1"))).toBe("403 WRONG_PASSWORD");
    expect(await shown()).toHaveLength(1);
    expect((await remove(robin.user.password)).statusCode).toBe(204);
    expect(await shown()).toEqual([]);
    expect((await mails()).at(-1)).toMatchObject({
      to_address: robin.user.email,
      subject: "A passkey was removed from your Terrarium account",
      text: expect.stringContaining("My phone"),
    });
    expect((await audited()).map(({ action }) => action)).toContain("passkey.remove");
    expect(outcomeOf(await remove(robin.user.password))).toBe("404 PASSKEY_NOT_FOUND");
  });

  it("are no others': renaming, using and removing one leaves those as they are", async () => {
    const { add, robin, as, pathOf, shown, call, signIn } = await signedIn();
    const kim = await as();
    await add(kim, "Kim's key");
    const { uuid, authenticator } = await add();
    const path = `${pathOf(robin)}/${uuid}`;
    await call("PATCH", path, { headers: robin.headers, body: { name: "My key" } });
    expect((await signIn(authenticator)).statusCode).toBe(200);
    expect(await shown()).toMatchObject([{ uuid, name: "My key" }]);
    expect((await robin.delete(path, { password: robin.user.password })).statusCode).toBe(204);
    expect(await shown(kim)).toMatchObject([{ name: "Kim's key", last_used_at: null }]);
  });

  it("are not removed with a password that is replaced at that moment", async () => {
    const { add, robin, pathOf, shown, db } = await signedIn();
    const { uuid } = await add();
    let asked: ReturnType<typeof robin.delete> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ password_hash: "another" }).where("uuid", "=", robin.user.uuid).execute();
      asked = robin.delete(`${pathOf(robin)}/${uuid}`, { password: robin.user.password });
      await Promise.race([asked, untilBlocked(db)]);
    });
    expect(asked && outcomeOf(await asked)).toBe("403 WRONG_PASSWORD");
    expect(await shown()).toHaveLength(1);
  });

  it("are in the export of personal data, without their keys", async () => {
    const { add, robin } = await signedIn();
    await add();
    const held = (await robin.get(`/v1/users/${robin.user.uuid}/export`)).json();
    expect(held.passkeys).toMatchObject([{ name: "My phone", made_for: "devices.example" }]);
    expect(JSON.stringify(held.passkeys)).not.toContain('key"');
  });

  it("say which were made for another host name; those work no more, until the service is there again", async () => {
    const { add, signIn, shown, begin, db } = await signedIn();
    const { authenticator } = await add();
    await db.updateTable("passkeys").set({ rp_id: "former.example" }).execute();
    expect(await shown()).toMatchObject([{ works_here: false }]);
    expect(outcomeOf(await signIn(authenticator))).toBe("403 PASSKEY_UNKNOWN");
    expect((await begin()).json().excludeCredentials).toEqual([]);
  });

  it("are not to be had at an address for which browsers make none", async () => {
    const { begin, call, login, robin, pathOf } = await signedIn({ publicUrl: "http://devices.example" });
    expect((await call("GET", "/v1/settings")).json().passkeys_at).toBeNull();
    const credential = new SoftwareAuthenticator(publicUrl).make({
      challenge: "",
      rp: { id: "devices.example", name: "" },
      user: { id: "", name: "", displayName: "" },
    });
    for (const answer of [
      await begin(),
      await robin.post(pathOf(robin), { name: "Mine", credential }),
      await call("POST", "/v1/passkeys/options"),
      await login({ ...credential, response: { clientDataJSON: "", authenticatorData: "", signature: "" } }),
    ])
      expect(outcomeOf(answer)).toBe("409 PASSKEYS_NOT_AVAILABLE");
  });
});

it("forgets challenges when they have expired", async () => {
  const { add, db, clock } = await signedIn();
  await add();
  const spent = () => db.selectFrom("spent_challenges").select("challenge").execute();
  await deleteSpentChallenges.run({ db, clock });
  expect(await spent()).toHaveLength(1);
  await clock.advance(CHALLENGE_MS);
  await deleteSpentChallenges.run({ db, clock });
  expect(await spent()).toEqual([]);
});
