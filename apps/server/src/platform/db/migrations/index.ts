import type { Migration } from "kysely/migration";
import { foundation } from "./0001-foundation.ts";

/**
 * Every migration under its name, in order. A name is never changed and a migration that was released is never edited:
 * databases remember what ran by name. New ones come last: `0002-what-it-does`.
 */
export const migrations: Record<string, Migration> = { "0001-foundation": foundation };
