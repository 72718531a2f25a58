import { type Clock, ShiftedClock } from "@terrarium/clock";
import { type QueryExecutorProvider, sql } from "kysely";
import { listen, notify } from "./db/listen.ts";
import { type MigrationSteps, statements } from "./db/migrations.ts";

const CHANNEL = "clock_moved";

export const clockMigrations: MigrationSteps = {
  "0055-clock-shift": statements(
    `CREATE TABLE clock_shift (id boolean PRIMARY KEY DEFAULT true CHECK (id), ms bigint NOT NULL)`,
  ),
};

/** How far an operator has moved the clock of an installation forward, in milliseconds. */
export async function readShift(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ ms: number }>`SELECT ms::float8 AS ms FROM clock_shift`.execute(db);
  return rows[0]?.ms ?? 0;
}

/** Moves the clock of all processes of an installation forward, also after a restart. Returns how far it is ahead by now. */
export async function moveClock(db: QueryExecutorProvider, byMs: number): Promise<number> {
  await sql`
    INSERT INTO clock_shift (ms) VALUES (${byMs})
    ON CONFLICT (id) DO UPDATE SET ms = clock_shift.ms + excluded.ms`.execute(db);
  await notify(db, CHANNEL, "");
  return readShift(db);
}

/** A clock that is as far ahead as the installation's. `stop` resolves when it follows no longer. */
export async function followShift({
  db,
  url,
  clock,
  onConnectionLost,
}: {
  db: QueryExecutorProvider;
  url: string;
  clock: Clock;
  onConnectionLost: (error: unknown) => void;
}): Promise<{ clock: Clock; stop: () => Promise<void> }> {
  const shifted = new ShiftedClock(clock);
  const end = new AbortController();
  const read = () => readShift(db).then((ms) => shifted.shiftTo(ms), onConnectionLost);
  const listening = await listen(url, CHANNEL, () => void read(), {
    clock,
    signal: end.signal,
    onReconnect: () => void read(),
    onConnectionLost,
  });
  // After it listens, so that no move is missed.
  await read();
  return {
    clock: shifted,
    stop() {
      end.abort();
      return listening.stopped;
    },
  };
}
