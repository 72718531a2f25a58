import type { Clock } from "@terrarium/clock";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import type { Reads } from "../../platform/db/reads.ts";
import { type Actor, actorOf } from "./actor.ts";
import { findOwners, noteSessionUse, noteTokenUse, type OwnerRow } from "./sessions.store.ts";

/** The expected actor is forgotten for the oldest credentials beyond this many; their next read takes a second round trip. */
const MAX_EXPECTED = 10_000;
const USE_NOTED_EVERY_MS = 60_000;

/** A caller whose credential is being checked. */
export interface Caller {
  /** The actor at the last check. A read may begin for them; its result may be sent only if `actor` resolves to the same object. */
  expected: Actor | undefined;
  /** The actor by what the database says after the request arrived; undefined if the credential is not valid. */
  actor: Promise<Actor | undefined>;
}

/** What is known about the use of a session besides its identifier. */
interface SessionUse {
  address: string;
  /** Whether the token that was sent may be used; called with the session's row. */
  admits(row: OwnerRow): Promise<boolean>;
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

/** Finds who holds a credential. Rights are never cached: every request is checked, and concurrent requests share one query. */
export class Callers {
  readonly #deps: CallerDeps;
  readonly #expected = new Map<string, Actor>();
  #batch: Batch | undefined;

  constructor(deps: CallerDeps) {
    this.#deps = deps;
  }

  bySession(session: string, { address, admits }: SessionUse): Caller {
    const batch = this.#join();
    batch.sessions.add(session);
    return this.#caller(session, batch, async (row) => {
      if (!(await admits(row))) return false;
      await this.#noteUse(row, (now, before) => noteSessionUse(this.#deps.db, session, { address, now, before }));
      return true;
    });
  }

  /** `hash` is the hash of the token, in hexadecimal. */
  byApiToken(hash: string): Caller {
    const batch = this.#join();
    batch.hashes.add(hash);
    return this.#caller(hash, batch, async (row) => {
      await this.#noteUse(row, (now, before) => noteTokenUse(this.#deps.db, row.credential, now, before));
      return true;
    });
  }

  #caller(key: string, { owners }: Batch, admits: (row: OwnerRow) => Promise<boolean>): Caller {
    const find = async () => {
      const row = (await owners).get(key);
      if (!row || !(await admits(row))) return undefined;
      const actor = actorOf(row);
      const known = this.#expected.get(key);
      return isDeepStrictEqual(known, actor) ? known : this.#expect(key, actor);
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

  /** The batch that is sent next; callers join it until it is sent. */
  #join(): Batch {
    if (this.#batch) return this.#batch;
    const sessions = new Set<string>();
    const hashes = new Set<string>();
    const rows = findOwners(this.#deps.reads, () => {
      this.#batch = undefined;
      return { sessions: [...sessions], hashes: [...hashes], now: new Date(this.#deps.clock.now()) };
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

  /** Has the last use written, at most once a minute. */
  async #noteUse({ last_access }: OwnerRow, note: (now: Date, before: Date) => Promise<void>): Promise<void> {
    const now = this.#deps.clock.now();
    const before = new Date(now - USE_NOTED_EVERY_MS);
    if (last_access === null || last_access < before) await note(new Date(now), before);
  }
}
