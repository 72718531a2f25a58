import { AppError } from "@terrarium/contract";
import type { Layer } from "@terrarium/runtime";
import type { Database } from "../../database/schema.ts";
import type { OrganizationRow } from "../organizations/limits.ts";
import { sizeOfImages, sizeOfLayers } from "./layers.store.ts";

/** A save that is begun has at least this much room. */
const LEAST_ROOM_BYTES = 1024 ** 2;

type Limit = Pick<OrganizationRow, "uuid" | "saved_bytes_max">;

/** Refuses a save to an organization whose images take up as much as they may. @throws TOO_MUCH_SAVED */
export async function checkRoomToSave(trx: Database, { uuid, saved_bytes_max: max }: Limit): Promise<void> {
  const most = max - LEAST_ROOM_BYTES;
  if ((await sizeOfImages(trx, uuid)) <= most) return;
  const size = await sizeOfLayers(trx, uuid);
  if (size > most) throw new AppError("TOO_MUCH_SAVED", { facts: { size, max } });
}

/**
 * Runs `write`, which gives these layers to one of the organization's images. The organization must be locked.
 * @throws TOO_MUCH_SAVED if its images take up more after it than before, and more than they may. The transaction must be rolled back then.
 */
export async function writeWithin(
  trx: Database,
  { uuid, saved_bytes_max: max }: Limit,
  layers: readonly Layer[],
  write: () => Promise<void>,
): Promise<void> {
  const added = layers.reduce((sum, { size }) => sum + size, 0);
  // Most organizations are far from their limit, so an estimate that counts shared layers several times is enough.
  if ((await sizeOfImages(trx, uuid)) + added <= max) return write();
  const before = await sizeOfLayers(trx, uuid);
  await write();
  const size = await sizeOfLayers(trx, uuid);
  if (size > max && size > before) throw new AppError("TOO_MUCH_SAVED", { facts: { size, max } });
}
