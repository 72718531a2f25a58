import type { OwnedTable } from "./owned.ts";

/**
 * SQL for the trigger that numbers the changes of a table. The time of the last change is left out, as each start of a server writes the
 * official rows again.
 */
export const revisionTrigger = (table: OwnedTable): string =>
  `CREATE TRIGGER ${table}_revision BEFORE UPDATE ON ${table} FOR EACH ROW
    WHEN (to_jsonb(OLD) - 'updated_at' IS DISTINCT FROM to_jsonb(NEW) - 'updated_at') EXECUTE FUNCTION increment_revision()`;

/** SQL for the triggers that number the changes of a table and notify of them; migration 0036 runs it. */
export const catalogueTriggers = (table: "os_images" | "recipes"): string[] => [
  revisionTrigger(table),
  `CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION notify_catalogue_changed()`,
  `CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} FOR EACH ROW
    WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION notify_catalogue_changed()`,
];
