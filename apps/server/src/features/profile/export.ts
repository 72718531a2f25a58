import type { Answer, profile } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { type Limit, MAX_WINDOW_MS } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { checkSelf, getUser } from "../users/users.ts";
import type { ProfileDeps } from "./delete-account.ts";
import { findUser } from "../users/accounts.ts";
import { exportedLists } from "./export.store.ts";

export const exportsOfUser: Limit = { name: "exports of personal data", max: 5, windowMs: MAX_WINDOW_MS };

/**
 * Everything that the service holds on somebody, as a JSON document that is written as fast as it is read, some hundred rows at a time.
 * @throws AppError TOO_MANY_REQUESTS, what `checkSelf` throws; FORBIDDEN with an API token
 */
export async function exportOf(
  deps: ProfileDeps,
  actor: Actor,
  uuid: string,
  by: By,
): Promise<Answer<typeof profile.export>> {
  const { db, clock, audit, limiter } = deps;
  await checkSelf(deps, actor, uuid);
  sessionOf(actor);
  await limiter.take(exportsOfUser, uuid);
  const account = await getUser({ db }, actor, uuid);
  await audit.record(db, by, { action: "user.export", subject: { kind: "user", uuid } });
  const now = new Date(clock.now()).toISOString();
  const last_sign_in_at = (await findUser(db, uuid))?.last_sign_in_at?.toISOString() ?? null;
  const head = { exported_at: now, account: { ...account, last_sign_in_at } };
  return {
    type: "application/json",
    fileName: `terrarium-${now.slice(0, 10)}.json`,
    content: written(db, head),
  };
}

async function* written(db: Database, head: { exported_at: string; account: { uuid: string; email: string } }) {
  const bytes = new TextEncoder();
  // The lists follow in the same object.
  yield bytes.encode(JSON.stringify(head, undefined, 1).replace(/\n\}$/, ""));
  for (const { name, pages } of exportedLists(db, head.account)) {
    yield bytes.encode(`,\n ${JSON.stringify(name)}: [`);
    let separator = "\n  ";
    for await (const rows of pages) {
      yield bytes.encode(separator + rows.map((row) => JSON.stringify(row)).join(",\n  "));
      separator = ",\n  ";
    }
    yield bytes.encode("\n ]");
  }
  yield bytes.encode("\n}\n");
}
