import { AppError } from "@terrarium/contract";
import type { Actor } from "../sessions/actor.ts";

/**
 * Managing API tokens takes a sign-in, or an API token that was created for it: otherwise whoever gets hold of any token could make
 * more, and keep access after it is revoked.
 */
export function checkMayManage(actor: Actor, held: readonly { uuid: string; can_manage_tokens: boolean }[]): void {
  if (actor.session !== undefined) return;
  const token = held.find(({ uuid }) => uuid === actor.credential);
  if (!token?.can_manage_tokens) throw new AppError("API_TOKEN_NOT_SCOPED");
}
