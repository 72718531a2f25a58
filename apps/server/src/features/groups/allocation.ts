import { AppError, runningStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { findFullGroup } from "./groups.store.ts";

/**
 * Whether somebody may start another device, as far as their groups go. A device counts for every group that its person is in, and for all
 * groups above these: each of them that has an allocation must have room. Exact for concurrent starts once `lockLimits` has locked the
 * organization.
 * @param user whose groups count: whoever starts the device, or for somebody from outside the owner of the recipe that was shared with them
 * @throws GROUP_ALLOCATION_REACHED
 */
export async function checkAllocation(trx: Database, place: { organization: string; user: string }): Promise<void> {
  const full = await findFullGroup(trx, place, runningStates);
  if (full) throw new AppError("GROUP_ALLOCATION_REACHED", { facts: { ...full } });
}
