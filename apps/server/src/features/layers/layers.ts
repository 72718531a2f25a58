import type { Layer } from "@terrarium/runtime";
import type { Database } from "../../database/schema.ts";
import { lockLayers } from "./layers.store.ts";

/**
 * Holds layers, so that they are not collected until the transaction ends, in which something must refer to them.
 * @throws Error if one is not stored
 */
export async function holdLayers(trx: Database, layers: readonly Layer[]): Promise<void> {
  const sha256s = [...new Set(layers.map(({ sha256 }) => sha256))];
  const held = await lockLayers(trx, sha256s);
  if (held < sha256s.length) throw new Error(`${sha256s.length - held} layers of a saved state are not stored`);
}
