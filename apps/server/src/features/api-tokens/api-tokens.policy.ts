import { AppError } from "@terrarium/contract";
import type { Actor } from "../sessions/actor.ts";

/** An API token is its owner's alone: to everybody else, managers included, it does not exist. */
export function checkApiToken<Row extends { user_uuid: string }>(
  actor: Actor,
  token: Row | undefined,
): asserts token is Row {
  if (token?.user_uuid !== actor.uuid) throw new AppError("API_TOKEN_NOT_FOUND");
}
