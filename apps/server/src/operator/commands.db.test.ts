import { sql } from "kysely";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { sealRecords } from "../features/audit/chain.ts";
import { createTestApp } from "../testing/app.ts";

const main = join(import.meta.dirname, "main.ts");
/** Each start of the tool takes seconds on a busy machine. */
const TIMEOUT_MS = 90_000;

it("manages a person, and shows what was done", { timeout: TIMEOUT_MS }, async () => {
  const { as, call, url, db } = await createTestApp();
  /** Runs the tool as an operator does. */
  const operator = async (args: string[], input = "") => {
    const env = { ...process.env, DATABASE_URL: url, LOG_LEVEL: "info" };
    const tool = spawn(process.execPath, [main, ...args], { env });
    tool.stdin.end(input);
    const [stdout, stderr, [code]] = await Promise.all([text(tool.stdout), text(tool.stderr), once(tool, "close")]);
    return { stdout, stderr, code };
  };
  const robin = await as();
  await as();
  const { email } = robin.user;
  await robin.post("/v1/api-tokens", { description: "ci" });

  const credentials = await operator(["users", "sessions", email.toUpperCase(), "--json"]);
  expect(JSON.parse(credentials.stdout)).toMatchObject([{ kind: "session" }, { kind: "API token", description: "ci" }]);

  const reset = await operator(["users", "reset", email], "a better horse 2\n");
  expect(reset.stdout).toBe(
    `${email} has the new password, and has to sign in again.\nStill valid: 1 of their API tokens. See "users sign-out".\n`,
  );
  expect(JSON.parse(reset.stderr)).toMatchObject({ role: "operator", audit: { action: "user.reset_password" } });
  const login = await call("POST", "/v1/users/login", { body: { email, password: "a better horse 2" } });
  expect(login.statusCode).toBe(200);

  await sql`ALTER TABLE audit_records DISABLE TRIGGER USER`.execute(db);
  await sealRecords(db);
  await sql`UPDATE audit_records SET outcome = 'refused' WHERE position = 1`.execute(db);
  const broken = await operator(["audit", "verify"]);
  expect([broken.code, broken.stdout]).toEqual([
    1,
    expect.stringMatching(/^Not intact at position 1: record \d+ was changed\.\n/),
  ]);

  const lines = (await operator(["audit", "3", "--email", email])).stdout.trimEnd().split("\n");
  expect(lines).toEqual([
    expect.stringMatching(
      /^\S+Z api_token\.create done by user-\S+ on api_token \S+ from 127\.0\.0\.1 .*description="ci"/,
    ),
    expect.stringMatching(/^\S+Z user\.reset_password done by operator on user-\S+ account="\w+" sessions=1$/),
    expect.stringMatching(/^\S+Z session\.open done by user-\S+ on session \S+ from 127\.0\.0\.1$/),
  ]);
});
