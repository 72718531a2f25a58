import { AppError, type shares } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";

const unknown = (): never => {
  throw new AppError("SHARE_NOT_FOUND");
};

export const shareRoutes: Handlers<typeof shares, Actor> = { get: unknown, update: unknown, delete: unknown };
