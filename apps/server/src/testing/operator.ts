import { sql } from "kysely";
import { setUpRequiredTotp, type SignedInWith } from "./second-factor.ts";
import type { TestApp } from "./app.ts";
import { aUser } from "./factories.ts";

/** Whoever runs the service, signed in as they have to: with an authenticator app. */
export async function anOperator(
  test: Pick<TestApp, "call" | "clock" | "db">,
  fields: NonNullable<Parameters<typeof aUser>[1]>["fields"] = {},
) {
  const { call, db } = test;
  const user = await aUser(db, { role: "guest", fields: { is_operator: true, ...fields } });
  const signedIn: SignedInWith = await setUpRequiredTotp(test, user);
  const headers = { authorization: `Bearer ${signedIn.token}` };
  return {
    user,
    ...signedIn,
    headers,
    get: (path: string) => call("GET", path, { headers }),
    post: (path: string, body?: object) => call("POST", path, { body, headers }),
    put: (path: string, body?: object) => call("PUT", path, { body, headers }),
    delete: (path: string, body?: object) => call("DELETE", path, { body, headers }),
  };
}

/** A job that was given up; returns its number. */
export async function aFailedJob({ db, clock }: Pick<TestApp, "db" | "clock">, name = "send-mail"): Promise<number> {
  const now = new Date(clock.now());
  const { rows } = await sql<{ id: number }>`
    INSERT INTO jobs (name, payload, state, attempts, due_at, last_error, created_at, ended_at)
    VALUES (${name}, '{}', 'dead', 24, ${now}, 'the server refused it', ${now}, ${now}) RETURNING id`.execute(db);
  return rows[0]?.id ?? 0;
}
