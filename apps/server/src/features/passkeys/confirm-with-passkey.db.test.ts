import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { setUpTotp } from "../../testing/second-factor.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { removeSecondFactors } from "../second-factor/for-operator.ts";
import { SoftwareAuthenticator } from "./testing/software-authenticator.ts";

const publicUrl = "https://devices.example";
const LOGIN = "/v1/users/login";
const CONFIRM = `${LOGIN}/second-factor/passkey`;

interface Request {
  challenge: string;
  rpId: string;
  allowCredentials: { id: string }[];
}

/** Robin, who has added a passkey. */
async function withPasskey() {
  const test = await createTestApp({ publicUrl });
  const { as, call, db } = test;
  const robin = await as({ role: "manager" });
  type Person = typeof robin;
  const pathOf = ({ user }: Person) => `/v1/users/${user.uuid}/passkeys`;
  const add = async (person = robin, name = "My phone") => {
    const authenticator = new SoftwareAuthenticator(publicUrl);
    const { password } = person.user;
    const credential = authenticator.make((await person.post(`${pathOf(person)}/options`, { password })).json());
    const added = (await person.post(pathOf(person), { name, credential })).json();
    return { authenticator, ...(added as { uuid: string; recovery_codes: string[] }) };
  };
  const login = ({ user: { email, password } } = robin) => call("POST", LOGIN, { body: { email, password } });
  const ticketOf = async (person = robin) =>
    (await login(person)).json<{ details: { ticket: string } }>().details.ticket;
  const confirm = (ticket: string, credential: object) => call("POST", CONFIRM, { body: { ticket, credential } });
  const organization = robin.user.organization_uuid ?? "";
  return {
    ...test,
    robin,
    add,
    login,
    ticketOf,
    confirm,
    own: await add(),
    methods: async () => (await login()).json().details?.methods,
    ask: async (ticket: string) => (await call("POST", `${CONFIRM}/options`, { body: { ticket } })).json<Request>(),
    remove: (uuid: string) => robin.delete(`${pathOf(robin)}/${uuid}`, { password: robin.user.password }),
    look: async () => (await robin.get(`/v1/users/${robin.user.uuid}/second-factor`)).json(),
    rule: () =>
      robin.put(`/v1/organizations/${organization}/second-factor`, {
        is_required: true,
        password: robin.user.password,
      }),
    /** As if it was made when the service had another address. */
    moveAway: (uuid: string) =>
      db.updateTable("passkeys").set({ rp_id: "former.example" }).where("uuid", "=", uuid).execute(),
    lastMail: async () =>
      (await sql<{ text: string }>`SELECT text FROM mails ORDER BY created_at DESC LIMIT 1`.execute(db)).rows[0]?.text,
  };
}

describe("whoever has a passkey", () => {
  it("gets recovery codes with the first, and is asked for it when they sign in with their password", async () => {
    const { own, add, methods, look, lastMail, login } = await withPasskey();
    expect(new Set(own.recovery_codes).size).toBe(10);
    expect(await lastMail()).toContain("The password alone is no longer enough");
    expect((await add()).recovery_codes).toEqual([]);
    expect(outcomeOf(await login())).toBe("403 SECOND_FACTOR_REQUIRED");
    expect(await methods()).toBe("passkey recovery");
    expect(await look()).toEqual({ totp: null, has_passkey: true, recovery_codes: 10, is_required: false });
  });

  it("can have an authenticator app too, whose recovery codes are the same", async () => {
    const test = await withPasskey();
    expect((await setUpTotp(test, test.robin)).recoveryCodes).toEqual([]);
    expect(await test.methods()).toBe("totp passkey recovery");
  });

  it("confirms with a recovery code instead, and can have new ones", async () => {
    const { own, ticketOf, call, robin } = await withPasskey();
    const body = { ticket: await ticketOf(), method: "recovery", code: own.recovery_codes[0] };
    expect((await call("POST", `${LOGIN}/second-factor`, { body })).statusCode).toBe(200);
    const { password } = robin.user;
    const renewed = await robin.post(`/v1/users/${robin.user.uuid}/second-factor/recovery-codes`, { password });
    expect(renewed.json().recovery_codes).toHaveLength(10);
  });

  it("may require a second factor of others, and stays signed in", async () => {
    const { rule, robin } = await withPasskey();
    expect((await rule()).statusCode).toBe(200);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });
});

describe("a passkey for another host name", () => {
  it("is no second factor: nobody is locked out by a new address", async () => {
    const { own, moveAway, login, look, rule } = await withPasskey();
    await moveAway(own.uuid);
    expect((await login()).statusCode).toBe(200);
    expect(await look()).toMatchObject({ has_passkey: false });
    expect(outcomeOf(await rule())).toBe("409 SECOND_FACTOR_MISSING");
  });

  it("is not enough where the organization requires one", async () => {
    const { own, add, as, robin, rule, moveAway, login } = await withPasskey();
    const kim = await as({ organization: robin.user.organization_uuid ?? "" });
    const hers = await add(kim);
    await moveAway(hers.uuid);
    expect((await rule()).statusCode).toBe(200);
    expect((await kim.get("/v2/instances")).statusCode).toBe(401);
    expect(outcomeOf(await login(kim))).toBe("403 SECOND_FACTOR_SETUP_REQUIRED");
    expect(own.uuid).not.toBe(hers.uuid);
  });

  it("is not asked for beside one for this", async () => {
    const { own, add, moveAway, ask, ticketOf } = await withPasskey();
    const { authenticator } = await add();
    await moveAway(own.uuid);
    const { allowCredentials, ...request } = await ask(await ticketOf());
    expect(request).toMatchObject({ rpId: "devices.example", userVerification: "required" });
    expect(allowCredentials.map(({ id }) => id)).toEqual([authenticator.use(request).id]);
  });

  it("can be removed where the organization requires a second factor", async () => {
    const { own, moveAway, rule, remove, look } = await withPasskey();
    await rule();
    await moveAway(own.uuid);
    expect((await remove(own.uuid)).statusCode).toBe(204);
    expect(await look()).toMatchObject({ has_passkey: false, recovery_codes: 10 });
  });
});

describe("removing a passkey", () => {
  it("leaves the second factor while there is another", async () => {
    const { own, add, remove, look, lastMail } = await withPasskey();
    await add();
    expect((await remove(own.uuid)).statusCode).toBe(204);
    expect(await look()).toMatchObject({ has_passkey: true, recovery_codes: 10 });
    expect(await lastMail()).not.toContain("last second factor");
  });

  it("makes the password enough again with the last, and ends the recovery codes", async () => {
    const { own, remove, look, login, lastMail } = await withPasskey();
    expect((await remove(own.uuid)).statusCode).toBe(204);
    expect(await look()).toMatchObject({ has_passkey: false, recovery_codes: 0 });
    expect((await login()).statusCode).toBe(200);
    expect(await lastMail()).toContain("the password alone is enough now");
  });

  it("is refused with the last while the organization requires one", async () => {
    const { own, remove, rule, look } = await withPasskey();
    await rule();
    expect(outcomeOf(await remove(own.uuid))).toBe("409 LAST_SECOND_FACTOR");
    expect(await look()).toMatchObject({ has_passkey: true, recovery_codes: 10 });
  });

  it("is done by the operator for somebody who has lost theirs, wherever they were made for", async () => {
    const { own, moveAway, operator, robin, login, db } = await withPasskey();
    await moveAway(own.uuid);
    expect(await removeSecondFactors(operator, robin.user.email, publicUrl)).toBe(true);
    expect(await db.selectFrom("passkeys").selectAll().execute()).toEqual([]);
    expect((await login()).statusCode).toBe(200);
  });
});

describe("confirming a sign-in with a passkey", () => {
  it("opens the session, and records it", async () => {
    const { own, ticketOf, ask, confirm, robin, call, audited } = await withPasskey();
    const ticket = await ticketOf();
    const answer = await confirm(ticket, own.authenticator.use(await ask(ticket)));
    expect([answer.statusCode, answer.json().user.uuid]).toEqual([200, robin.user.uuid]);
    const headers = { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(200);
    const [used] = (await audited()).filter(({ action }) => action === "second_factor.use");
    expect(used).toMatchObject({ outcome: "done", details: { method: "passkey" } });
  });

  it("takes one that does not say whose it is, as it was asked for", async () => {
    const { own, ticketOf, ask, confirm } = await withPasskey();
    const ticket = await ticketOf();
    const { response, ...credential } = own.authenticator.use(await ask(ticket));
    const { userHandle: _, ...nameless } = response;
    expect((await confirm(ticket, { ...credential, response: nameless })).statusCode).toBe(200);
  });

  it("takes nobody else's", async () => {
    const { as, add, ticketOf, ask, confirm } = await withPasskey();
    const kims = await add(await as());
    const ticket = await ticketOf();
    const signed = kims.authenticator.use(await ask(ticket));
    expect(outcomeOf(await confirm(ticket, signed))).toBe("403 PASSKEY_UNKNOWN");
    const { userHandle: _, ...nameless } = kims.authenticator.use(await ask(ticket)).response;
    expect(outcomeOf(await confirm(ticket, { ...signed, response: nameless }))).toBe("403 PASSKEY_UNKNOWN");
  });

  it("takes the answer once, to what was asked for this account and this purpose", async () => {
    const { own, as, add, ticketOf, ask, confirm, call } = await withPasskey();
    const kim = await as();
    await add(kim);
    const [ticket, hers] = [await ticketOf(), await ticketOf(kim)];
    const toSignIn = (await call("POST", "/v1/passkeys/options")).json<Request>();
    const refused = async (request: Request) => outcomeOf(await confirm(ticket, own.authenticator.use(request)));
    expect(await refused(toSignIn)).toBe("403 PASSKEY_REFUSED");
    expect(await refused(await ask(hers))).toBe("403 PASSKEY_REFUSED");
    const asked = await ask(ticket);
    const alone = await call("POST", "/v1/passkeys/login", { body: { credential: own.authenticator.use(asked) } });
    expect(outcomeOf(alone)).toBe("403 PASSKEY_REFUSED");
    expect((await confirm(ticket, own.authenticator.use(asked))).statusCode).toBe(200);
    expect(await refused(asked)).toBe("403 PASSKEY_REFUSED");
  });

  it("takes a ticket", async () => {
    const { own, call, ask, ticketOf, confirm } = await withPasskey();
    const signed = own.authenticator.use(await ask(await ticketOf()));
    expect(outcomeOf(await confirm("none", signed))).toBe("410 SECOND_FACTOR_EXPIRED");
    const options = await call("POST", `${CONFIRM}/options`, { body: { ticket: "none" } });
    expect(outcomeOf(options)).toBe("410 SECOND_FACTOR_EXPIRED");
  });

  it("is for our own pages", async () => {
    const { call } = await withPasskey();
    const headers = { origin: "https://elsewhere.example" };
    for (const path of [CONFIRM, `${CONFIRM}/options`])
      expect(outcomeOf(await call("POST", path, { headers, body: {} }))).toBe("403 ORIGIN_NOT_ALLOWED");
  });
});

it("is named in the mail about a new password, so that its owner notices one that a stranger has added", async () => {
  const { robin, add, moveAway, lastMail } = await withPasskey();
  await moveAway((await add(robin, "My former key")).uuid);
  const body = { old_password: robin.user.password, new_password: "a better horse 2" };
  expect((await robin.put("/v1/users/password", body)).statusCode).toBe(204);
  expect(await lastMail()).toContain("with the passkey “My phone”.");
  expect(await lastMail()).not.toContain("My former key");
});
