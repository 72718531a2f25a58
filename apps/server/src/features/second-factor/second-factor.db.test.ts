import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { anApp, setUpTotp } from "../../testing/second-factor.ts";
import { passwordProofs } from "../users/prove-password.ts";
import { removeSecondFactors, requireOfOrganization } from "./for-operator.ts";
import { fromBase32 } from "./totp.ts";
import { TICKET_MS } from "./tickets.ts";

/** Robin, and what Robin can do about a second factor. */
async function person(options: { role?: "guest" } = {}) {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  const robin = await test.as(options);
  const path = `/v1/users/${robin.user.uuid}/second-factor`;
  const { email, password } = robin.user;
  return {
    ...test,
    robin,
    path,
    proof: { password },
    begin: (body: object = { password }) => robin.post(`${path}/totp/begin`, body),
    add: (setup_ticket: string, code: string) => robin.post(`${path}/totp`, { setup_ticket, code }),
    remove: (body: object = { password }) => robin.delete(`${path}/totp`, body),
    renew: (body: object = { password }) => robin.post(`${path}/recovery-codes`, body),
    look: async () => (await robin.get(path)).json<{ totp: unknown; recovery_codes: number; is_required: boolean }>(),
    login: () => test.call("POST", "/v1/users/login", { body: { email, password } }),
    mails: async () =>
      (
        await sql<{ to_address: string; subject: string; text: string }>`
          SELECT to_address, subject, text FROM mails ORDER BY created_at`.execute(test.db)
      ).rows,
    done: async (action: string) =>
      (await test.audited()).filter((record) => record.action === action && record.outcome === "done"),
  };
}

interface Begun {
  secret: string;
  url: string;
  setup_ticket: string;
}

describe("setting up an authenticator app", () => {
  it("takes a code of it, gives ten recovery codes, and tells its owner", async () => {
    const { begin, add, look, clock, mails, robin, done, login } = await person();
    const begun = (await begin()).json<Begun>();
    expect(begun.url).toBe(
      `otpauth://totp/Terrarium:${encodeURIComponent(robin.user.email)}?secret=${begun.secret}&issuer=Terrarium`,
    );
    expect(await look()).toEqual({ totp: null, has_passkey: false, recovery_codes: 0, is_required: false });
    expect((await login()).statusCode).toBe(200);
    const added = await add(begun.setup_ticket, anApp(clock, begun.secret).code());
    const { recovery_codes: codes } = added.json<{ recovery_codes: string[] }>();
    expect([added.statusCode, new Set(codes).size]).toEqual([201, 10]);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect(await look()).toEqual({
      totp: { created_at: "2026-03-02T09:00:00.000Z", last_used_at: null },
      has_passkey: false,
      recovery_codes: 10,
      is_required: false,
    });
    expect((await login()).json().code).toBe("SECOND_FACTOR_REQUIRED");
    expect(await done("second_factor.add")).toMatchObject([{ details: { factor: "totp" } }]);
    const mail = (await mails()).at(-1);
    expect(mail).toMatchObject({
      to_address: robin.user.email,
      subject: "A second factor was added to your Terrarium account",
      text: expect.stringContaining(
        "remove it while you are signed in, at https://devices.example/profile#second-factor",
      ),
    });
    // That would sign the owner out, and leave it to whoever added it.
    expect(mail?.text).not.toContain("/password-reset");
  });

  it("stores neither its secret nor a recovery code as they are", async () => {
    const test = await person();
    const begun = (await test.begin()).json<Begun>();
    const added = await test.add(begun.setup_ticket, anApp(test.clock, begun.secret).code());
    const [code = ""] = added.json<{ recovery_codes: string[] }>().recovery_codes;
    const { rows } = await sql<{ held: string }>`
      SELECT totp_factors::text AS held FROM totp_factors UNION ALL SELECT recovery_codes::text FROM recovery_codes`.execute(
      test.db,
    );
    // Bytes are shown in hex.
    const given = [fromBase32(begun.secret), begun.secret, code, code.replaceAll("-", "")];
    const shown = [...given.slice(1).map(String), ...given.map((each) => Buffer.from(each).toString("hex"))];
    expect(rows).toHaveLength(11);
    for (const { held } of rows) expect(shown.filter((text) => held.includes(text))).toEqual([]);
  });

  it("changes nothing with a wrong code, nor after ten minutes", async () => {
    const { begin, add, look, clock } = await person();
    const { secret, setup_ticket } = (await begin()).json<Begun>();
    expect(outcomeOf(await add(setup_ticket, "000000"))).toBe("403 SECOND_FACTOR_WRONG");
    await clock.advance(TICKET_MS);
    expect(outcomeOf(await add(setup_ticket, anApp(clock, secret).code()))).toBe("410 SECOND_FACTOR_EXPIRED");
    expect((await look()).totp).toBeNull();
  });

  it("is for whoever began it", async () => {
    const { begin, as, clock } = await person();
    const { secret, setup_ticket } = (await begin()).json<Begun>();
    const kim = await as();
    const code = anApp(clock, secret).code();
    const answer = await kim.post(`/v1/users/${kim.user.uuid}/second-factor/totp`, { setup_ticket, code });
    expect(outcomeOf(answer)).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("is finished in the session that began it, and opens no other", async () => {
    const { begin, add, robin, path, login, call, clock } = await person();
    const { secret, setup_ticket } = (await begin()).json<Begun>();
    const body = { setup_ticket, code: anApp(clock, secret).code() };
    expect(outcomeOf(await call("POST", "/v1/users/login/second-factor/totp", { body }))).toBe(
      "410 SECOND_FACTOR_EXPIRED",
    );
    const headers = { authorization: `Bearer ${(await login()).json<{ token: string }>().token}` };
    expect(outcomeOf(await call("POST", `${path}/totp`, { headers, body }))).toBe("410 SECOND_FACTOR_EXPIRED");
    expect((await add(setup_ticket, body.code)).statusCode).toBe(201);
    expect((await robin.get(path)).statusCode).toBe(200);
  });

  it("is not finished by a session that has ended meanwhile", async () => {
    const { begin, add, robin, db, clock } = await person();
    const { secret, setup_ticket } = (await begin()).json<Begun>();
    let adding: ReturnType<typeof add> | undefined;
    await db.transaction().execute(async (trx) => {
      await sql`SELECT FROM users WHERE uuid = ${robin.user.uuid} FOR UPDATE`.execute(trx);
      await sql`UPDATE sessions SET ended_at = ${new Date(clock.now())}`.execute(trx);
      adding = add(setup_ticket, anApp(clock, secret).code());
      await untilBlocked(db);
    });
    expect(adding && outcomeOf(await adding)).toBe("401 NOT_AUTHENTICATED");
  });

  it("is for one app", async () => {
    const test = await person();
    const { secret, setup_ticket } = (await test.begin()).json<Begun>();
    await setUpTotp(test, test.robin);
    expect(outcomeOf(await test.begin())).toBe("409 SECOND_FACTOR_EXISTS");
    const late = await test.add(setup_ticket, anApp(test.clock, secret).code());
    expect(outcomeOf(late)).toBe("409 SECOND_FACTOR_EXISTS");
  });
});

describe("a change of the second factor", () => {
  it("asks for the password, as often as others do", async () => {
    const test = await person();
    await setUpTotp(test, test.robin);
    for (const change of [test.begin, test.remove, test.renew]) {
      expect(outcomeOf(await change({ password: "wrong horse 1" }))).toBe("403 WRONG_PASSWORD");
      expect(outcomeOf(await change({}))).toBe("403 WRONG_PASSWORD");
    }
    // The setup took one, the tries above took six.
    for (let tries = 7; tries < passwordProofs.max; tries++) await test.remove({ password: "wrong horse 1" });
    expect((await test.remove()).statusCode).toBe(429);
  });

  it("asks who has no password to have signed in within ten minutes", async () => {
    const test = await person();
    await test.db.updateTable("users").set({ password_hash: null }).where("uuid", "=", test.robin.user.uuid).execute();
    await test.clock.advance(10 * 60_000);
    expect(outcomeOf(await test.begin({}))).toBe("403 SIGN_IN_AGAIN");
    test.clock.step(-1000);
    expect((await test.begin({})).statusCode).toBe(200);
  });

  it("is one's own: nobody else sees or changes anything of it, not even a manager", async () => {
    const { robin, as, path, begin, clock } = await person();
    const { secret, setup_ticket } = (await begin()).json<Begun>();
    const kim = await as({ role: "manager", organization: robin.user.organization_uuid ?? "" });
    const { password } = kim.user;
    for (const answer of [
      await kim.get(path),
      await kim.post(`${path}/totp/begin`, { password }),
      await kim.post(`${path}/totp`, { setup_ticket, code: anApp(clock, secret).code() }),
      await kim.delete(`${path}/totp`, { password }),
      await kim.post(`${path}/recovery-codes`, { password }),
    ])
      expect(outcomeOf(answer)).toBe("403 FORBIDDEN");
  });

  it("is nothing that an API token can do", async () => {
    const { robin, path, call, proof } = await person();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json<{
      token: string;
    }>();
    const headers = { "x-api-token": token };
    for (const [method, end, body] of [
      ["POST", "/totp/begin", proof],
      ["POST", "/totp", { setup_ticket: "", code: "" }],
      ["DELETE", "/totp", proof],
      ["POST", "/recovery-codes", proof],
    ] as const)
      expect(outcomeOf(await call(method, path + end, { body, headers }))).toBe("403 FORBIDDEN");
  });
});

describe("removing an authenticator app", () => {
  it("makes the password enough again, ends the recovery codes, and tells its owner", async () => {
    const test = await person();
    await setUpTotp(test, test.robin);
    expect((await test.remove()).statusCode).toBe(204);
    expect(await test.look()).toEqual({ totp: null, has_passkey: false, recovery_codes: 0, is_required: false });
    expect((await test.login()).statusCode).toBe(200);
    expect(await test.done("second_factor.remove")).toMatchObject([{ details: { factor: "totp" } }]);
    const [mail] = (await test.mails()).filter(({ subject }) => subject.startsWith("A second factor was removed"));
    expect(mail?.text).toContain("the password alone is enough now");
    expect(outcomeOf(await test.remove())).toBe("409 SECOND_FACTOR_MISSING");
    expect(outcomeOf(await test.renew())).toBe("409 SECOND_FACTOR_MISSING");
  });

  it("is refused while the organization requires one", async () => {
    const test = await person();
    await setUpTotp(test, test.robin);
    await requireOfOrganization(
      test.operator,
      test.robin.user.organization_uuid ?? "",
      true,
      "https://devices.example",
    );
    expect(outcomeOf(await test.remove())).toBe("409 LAST_SECOND_FACTOR");
    expect(await test.look()).toMatchObject({ recovery_codes: 10, is_required: true });
    expect((await test.login()).json().code).toBe("SECOND_FACTOR_REQUIRED");
  });
});

it("new recovery codes replace the former ones", async () => {
  const test = await person();
  const { recoveryCodes: former } = await setUpTotp(test, test.robin);
  const { recovery_codes: fresh } = (await test.renew()).json<{ recovery_codes: string[] }>();
  const confirm = async (code = "") => {
    const { ticket } = (await test.login()).json<{ details: { ticket: string } }>().details;
    const body = { ticket, method: "recovery", code };
    return (await test.call("POST", "/v1/users/login/second-factor", { body })).statusCode;
  };
  expect([await confirm(former[0]), await confirm(fresh[0])]).toEqual([403, 200]);
  expect(await test.done("second_factor.renew_codes")).toHaveLength(1);
});

it("belongs to one person: what they change leaves the factors, the codes and the rules of others as they are", async () => {
  const test = await person();
  const [kim, mo] = [await test.as({ role: "manager" }), await test.as({ role: "manager" })];
  const held = await setUpTotp(test, kim);
  const app = await setUpTotp(test, test.robin);
  await requireOfOrganization(test.operator, kim.user.organization_uuid ?? "", true, "https://devices.example");
  const of = async (who: typeof kim) => (await who.get(`/v1/users/${who.user.uuid}/second-factor`)).json();
  expect([(await of(kim)).is_required, (await of(mo)).is_required]).toEqual([true, false]);
  await test.clock.advance(30_000);
  const { ticket } = (await test.login()).json<{ details: { ticket: string } }>().details;
  const body = { ticket, method: "totp", code: app.code() };
  expect((await test.call("POST", "/v1/users/login/second-factor", { body })).statusCode).toBe(200);
  await test.renew();
  expect((await test.remove()).statusCode).toBe(204);
  expect(await of(kim)).toMatchObject({ totp: { last_used_at: null }, recovery_codes: 10 });
  const signIn = { email: kim.user.email, password: kim.user.password };
  const asked = (await test.call("POST", "/v1/users/login", { body: signIn })).json<{ details: { ticket: string } }>();
  const code = { ticket: asked.details.ticket, method: "recovery", code: held.recoveryCodes[0] };
  expect((await test.call("POST", "/v1/users/login/second-factor", { body: code })).statusCode).toBe(200);
});

it("is not changed with a password that is replaced at that moment", async () => {
  const test = await person();
  await setUpTotp(test, test.robin);
  let asked: ReturnType<typeof test.remove> | undefined;
  await test.db.transaction().execute(async (trx) => {
    const uuid = test.robin.user.uuid;
    await trx.updateTable("users").set({ password_hash: "another" }).where("uuid", "=", uuid).execute();
    asked = test.remove();
    await Promise.race([asked, untilBlocked(test.db)]);
  });
  expect(asked && outcomeOf(await asked)).toBe("403 WRONG_PASSWORD");
  expect((await test.look()).totp).not.toBeNull();
});

it("is not added with a password that is replaced at that moment", async () => {
  const test = await person();
  const { secret, setup_ticket } = (await test.begin()).json<Begun>();
  let added: ReturnType<typeof test.add> | undefined;
  await test.db.transaction().execute(async (trx) => {
    const uuid = test.robin.user.uuid;
    await trx.updateTable("users").set({ password_hash: "another" }).where("uuid", "=", uuid).execute();
    added = test.add(setup_ticket, anApp(test.clock, secret).code());
    await Promise.race([added, untilBlocked(test.db)]);
  });
  expect(added && outcomeOf(await added)).toBe("410 SECOND_FACTOR_EXPIRED");
});

describe("the operator", () => {
  it("removes the second factor of somebody who has lost it, where it is required too, and ends their sessions", async () => {
    const test = await person();
    await setUpTotp(test, test.robin);
    const kim = await test.as();
    await setUpTotp(test, kim);
    await requireOfOrganization(
      test.operator,
      test.robin.user.organization_uuid ?? "",
      true,
      "https://devices.example",
    );
    const { email } = test.robin.user;
    expect(await removeSecondFactors(test.operator, ` ${email.toUpperCase()}`, "https://devices.example")).toBe(true);
    for (const table of ["totp_factors", "recovery_codes"] as const)
      expect(await test.db.selectFrom(table).select("user_uuid").distinct().execute()).toEqual([
        { user_uuid: kim.user.uuid },
      ]);
    expect((await test.robin.get("/v2/instances")).statusCode).toBe(401);
    expect((await test.login()).json().code).toBe("SECOND_FACTOR_SETUP_REQUIRED");
    expect(await test.done("second_factor.remove")).toMatchObject([{ actor: "operator" }]);
    const [mail] = (await test.mails()).filter(({ subject }) => subject.startsWith("A second factor was removed"));
    expect(mail?.text).toContain("can no longer be confirmed with an authenticator app");
    expect(mail?.text).not.toContain("password alone");
    expect(await removeSecondFactors(test.operator, email, "https://devices.example")).toBe(false);
    await expect(removeSecondFactors(test.operator, "nobody@fernworks.test", "")).rejects.toThrow(
      "Nobody has the address",
    );
  });
});

describe("the mail about a removal", () => {
  /** What it says when somebody has removed the second factor of Robin, whose organization requires none. */
  async function mailAfter(hasPassword: boolean, remove: "operator" | "owner") {
    const test = await person();
    const { email, uuid } = test.robin.user;
    await setUpTotp(test, test.robin);
    if (!hasPassword)
      await test.db.updateTable("users").set({ password_hash: null }).where("uuid", "=", uuid).execute();
    if (remove === "owner") await test.remove();
    else await removeSecondFactors(test.operator, email, "https://devices.example");
    return (await test.mails()).find(({ subject }) => subject.startsWith("A second factor was removed"))?.text;
  }

  it.each(["operator", "owner"] as const)(
    "says that the password is enough if there is one: by the %s",
    async (who) => {
      expect(await mailAfter(true, who)).toContain("the password alone is enough now");
      const mail = await mailAfter(false, who);
      expect(mail).toContain("can no longer be confirmed with an authenticator app");
      expect(mail).not.toContain("the password alone");
    },
  );
});

describe("somebody who belongs to no organization", () => {
  it("is free to have one", async () => {
    const test = await person({ role: "guest" });
    expect((await test.look()).is_required).toBe(false);
    expect((await test.login()).statusCode).toBe(200);
    await setUpTotp(test, test.robin);
    expect((await test.login()).json().code).toBe("SECOND_FACTOR_REQUIRED");
  });
});
