import type { Migration } from "kysely/migration";

/**
 * Every migration under its name, in order. A name is never changed and a migration that was released is never edited:
 * databases remember what ran by name. New ones come last: `0002-what-it-does`.
 */
export const migrations: Record<string, Migration> = {};
