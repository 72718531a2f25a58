import type { CatalogueChange } from "@terrarium/contract";

/** A change of a recipe or an OS image, as the database notifies of it. */
export interface ChangedRow extends Omit<CatalogueChange, "is_gone"> {
  table: "os_images" | "recipes";
  /** Uuids of organizations and users, or `EVERY_MEMBER`. */
  recipients: string[];
  /** They can no longer use it. */
  is_gone?: boolean;
}

export const CATALOGUE_CHANGED = "catalogue_changed";

/** Who receives the changes of official rows. The trigger in the database knows this name, too. */
export const EVERY_MEMBER = "official";
