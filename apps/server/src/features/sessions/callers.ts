import type { Clock } from "@terrarium/clock";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import type { Reads } from "../../platform/db/reads.ts";
import { type Actor, actorOf } from "./actor.ts";
import { findOwners, noteTokenUse, type OwnerRow } from "./sessions.store.ts";

/** Who is expected after their last call is forgotten beyond this many: their next call takes one round trip more. */
const MAX_EXPECTED = 10_000;
const USE_NOTED_EVERY_MS = 60_000;

/** A caller whose credential is being looked at. */
export interface Caller {
  /** Who it was the last time. An answer may be begun for them, and is let out only if `actor` gives the very same object. */
  expected: Actor | undefined;
  /** Who it is by what the database says after the call came; undefined when the credential is good for nobody. */
  actor: Promise<Actor | undefined>;
}

interface Batch {
  sessions: Set<string>;
  hashes: Set<string>;
  owners: Promise<Map<string, OwnerRow>>;
}

export interface CallerDeps {
  db: Database;
  reads: Pick<Reads, "query">;
  clock: Clock;
}

/** Finds who holds a credential. Nothing is taken from memory: each call is looked at anew, all those of a moment with one query. */
export class Callers {
  readonly #deps: CallerDeps;
  readonly #expected = new Map<string, Actor>();
  #batch: Batch | undefined;

  constructor(deps: CallerDeps) {
    this.#deps = deps;
  }

  bySession(session: string): Caller {
    const batch = this.#join();
    batch.sessions.add(session);
    return this.#caller(session, batch, (row) => actorOf(row, { session }));
  }

  /** `hash` is the token's, in hexadecimal. */
  byApiToken(hash: string): Caller {
    const batch = this.#join();
    batch.hashes.add(hash);
    return this.#caller(hash, batch, (row) => actorOf(row, { apiToken: row.credential }));
  }

  #caller(key: string, { owners }: Batch, actorFor: (row: OwnerRow) => Actor): Caller {
    const find = async () => {
      const row = (await owners).get(key);
      if (!row?.is_enabled) return undefined;
      if (row.is_token) await this.#noteUse(row);
      const known = this.#expected.get(key);
      return known && isDeepStrictEqual(known.user, row) ? known : this.#expect(key, actorFor(row));
    };
    return { expected: this.#expected.get(key), actor: find() };
  }

  #expect(key: string, actor: Actor): Actor {
    this.#expected.delete(key);
    this.#expected.set(key, actor);
    // A map keeps the order of insertion: the first is the oldest.
    if (this.#expected.size > MAX_EXPECTED) this.#expected.delete(this.#expected.keys().next().value ?? "");
    return actor;
  }

  /** The batch that is sent next. It takes callers until it is. */
  #join(): Batch {
    if (this.#batch) return this.#batch;
    const sessions = new Set<string>();
    const hashes = new Set<string>();
    const rows = findOwners(this.#deps.reads, () => {
      this.#batch = undefined;
      return { sessions: [...sessions], hashes: [...hashes] };
    });
    const owners = rows.then(
      (found) => new Map(found.map((row) => [row.key, row])),
      (error: unknown) => {
        if (this.#batch?.owners === owners) this.#batch = undefined;
        throw error;
      },
    );
    return (this.#batch = { sessions, hashes, owners });
  }

  /** A token's last use is written at most once a minute. */
  async #noteUse({ credential, last_access }: OwnerRow): Promise<void> {
    const now = this.#deps.clock.now();
    const before = new Date(now - USE_NOTED_EVERY_MS);
    if (last_access === null || last_access < before)
      await noteTokenUse(this.#deps.db, credential, new Date(now), before);
  }
}
