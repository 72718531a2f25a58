import type { SharedReads } from "./shared-reads.ts";

/** A caller whose credential is being checked. */
export interface Admission<Actor> {
  /** The actor when this credential was last checked: a read may begin for them before the check is done. */
  expected: Actor | undefined;
  /**
   * The actor now; the same object as `expected` only if nothing about them has changed. Rejects if the caller is not authenticated or
   * lacks the route's access.
   */
  actor: Promise<Actor>;
}

/** The serialised reply to a read, and the actor it was computed for. */
export interface PreparedReply<Actor> {
  actor: Actor;
  bytes: Promise<Buffer | undefined>;
}

/**
 * Runs a read. If this credential was admitted before, the read begins while the credential is checked, so that both are one round trip to
 * the database. If the actor has changed in any way, the result is discarded and the read repeated.
 */
export async function readEarly<Actor>(
  reads: SharedReads<PreparedReply<Actor>>,
  key: string,
  { expected, actor }: Admission<Actor>,
  run: (actor: Actor) => Promise<Buffer | undefined>,
): Promise<Buffer | undefined> {
  const runFor = (reader: Actor) => async () => {
    const bytes = run(reader);
    // An error must reach only those for whom the read was run, so it is not thrown here.
    await bytes.catch(() => undefined);
    return { actor: reader, bytes };
  };
  const early = expected && reads.read(key, runFor(expected));
  const admitted = await actor;
  const prepared = await (early ?? reads.read(key, runFor(admitted)));
  return prepared.actor === admitted ? prepared.bytes : run(admitted);
}
