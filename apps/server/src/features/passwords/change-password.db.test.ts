import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { passwordProofs } from "../users/prove-password.ts";

const NEW = "a better horse 2";
const codeOf = ({ statusCode, body }: { statusCode: number; body: string }) => [
  statusCode,
  (JSON.parse(body) as { code?: string }).code,
];

async function signedIn() {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  const robin = await test.as();
  const { email, password } = robin.user;
  const login = (typed: string) => test.call("POST", "/v1/users/login", { body: { email, password: typed } });
  return {
    ...test,
    robin,
    login,
    email,
    password,
    change: (new_password = NEW, old_password = password) =>
      robin.put("/v1/users/password", { old_password, new_password }),
  };
}

describe("PUT /v1/users/password", () => {
  it("replaces the password, and ends the other sessions but neither this one nor API tokens", async () => {
    const { robin, login, password, change, call, audited, db, email } = await signedIn();
    const other = { authorization: `Bearer ${(await login(password)).json<{ token: string }>().token}` };
    const made = await robin.post("/v1/api-tokens", { description: "ci" });
    const answer = await change();
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect([(await login(password)).statusCode, (await login(NEW)).statusCode]).toEqual([401, 200]);
    const ask = async (headers: Record<string, string>) => (await call("GET", "/v2/instances", { headers })).statusCode;
    const byToken = { "x-api-token": made.json<{ token: string }>().token };
    expect([await ask(robin.headers), await ask(other), await ask(byToken)]).toEqual([200, 401, 200]);
    const [record] = (await audited()).filter(({ action }) => action === "user.reset_password");
    expect(record).toMatchObject({ outcome: "done", actor: email, details: { sessions: 1, by: "password" } });
    const { rows } = await sql<{ to_address: string; text: string }>`SELECT to_address, text FROM mails`.execute(db);
    const [mail] = rows;
    expect([rows.length, mail?.to_address]).toEqual([1, email]);
    expect(mail?.text).toContain("every other browser was signed out");
    expect(mail?.text).toContain("https://devices.example/password-reset");
  });

  it("refuses a wrong old password in the words that clients show, and changes nothing", async () => {
    const { change, login, password, robin } = await signedIn();
    const answer = await change(NEW, "wrong horse 1");
    expect(codeOf(answer)).toEqual([403, "WRONG_PASSWORD"]);
    expect(answer.json().message).toBe("Fail to update password");
    expect((await login(password)).statusCode).toBe(200);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });

  it.each([
    ["short 1", "invalid_request", "Use 8 characters or more"],
    ["12345678", "invalid_request", "Use at least one letter"],
    ["abcdefgh", "invalid_request", "Use at least one number"],
    ["Password123", "PASSWORD_TOO_COMMON", "This password is too common"],
  ])("refuses the password %s", async (wrong, code, sentence) => {
    const { change, login, password } = await signedIn();
    const answer = await change(wrong);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body).toContain(sentence);
    expect((await login(password)).statusCode).toBe(200);
  });

  it("works once for two who use the same old password at the same moment", async () => {
    const { change } = await signedIn();
    const answers = await Promise.all([change("first horse 1"), change("second horse 2")]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([204, 403]);
  });

  it("lets nobody guess in a browser that is signed in", async () => {
    const { change, password } = await signedIn();
    for (let tries = 0; tries < passwordProofs.max; tries++)
      expect((await change(NEW, "wrong horse 1")).statusCode).toBe(403);
    expect(codeOf(await change(NEW, password))).toEqual([429, "TOO_MANY_REQUESTS"]);
  });

  it("says to somebody who signs in in another way that there is no password", async () => {
    const { change, db, robin } = await signedIn();
    await db.updateTable("users").set({ password_hash: null }).where("uuid", "=", robin.user.uuid).execute();
    expect(codeOf(await change())).toEqual([409, "NO_PASSWORD"]);
  });

  it("refuses a program, though it knows the password", async () => {
    const { call, robin, password, login } = await signedIn();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json();
    const body = { old_password: password, new_password: NEW };
    const answer = await call("PUT", "/v1/users/password", { body, headers: { "x-api-token": token } });
    expect(codeOf(answer)).toEqual([403, "FORBIDDEN"]);
    expect((await login(password)).statusCode).toBe(200);
  });

  it("refuses the pages of others", async () => {
    const { call, robin, password } = await signedIn();
    const answer = await call("PUT", "/v1/users/password", {
      body: { old_password: password, new_password: NEW },
      headers: { ...robin.headers, origin: "https://evil.example" },
    });
    expect(codeOf(answer)).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
  });
});
