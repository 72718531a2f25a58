import type { Instance, SaveAction } from "@terrarium/contract";

/** Why a device cannot be saved now. */
export type WhyNotSavable = "notOnline" | "noRecipe" | "notAllowed" | "cannotSave";

type Device = Pick<Instance, "state" | "owner" | "recipe" | "can_save" | "os_image">;
interface Who {
  uuid: string;
  organization: { uuid: string } | null;
}

/** Guests own no recipes, and what another organization has shared may not be copied. The service decides again. */
export function whyNotSavable({ state, owner, recipe, can_save: canSave }: Device, me: Who): WhyNotSavable | undefined {
  if (owner.uuid !== me.uuid || me.organization === null) return "notAllowed";
  if (state !== "ONLINE") return "notOnline";
  if (!recipe) return "noRecipe";
  const isOurs = recipe.source === "DEFAULT" || recipe.owner?.organization?.uuid === me.organization.uuid;
  if (!isOurs) return "notAllowed";
  return canSave ? undefined : "cannotSave";
}

/** Whether it is one's own recipe, which can be updated; otherwise a new one is created. */
export const ownsRecipe = ({ recipe }: Pick<Device, "recipe">, me: Who): boolean => recipe?.owner?.uuid === me.uuid;

/** Whether its recipe cannot be updated for now, as something is being saved into it. */
export const isBeingSaved = ({ recipe }: Pick<Device, "recipe">): boolean =>
  recipe?.status === "UPDATING" || recipe?.status === "CREATING";

/** Whether what is saved needs an OS image of its own: for a new recipe, and in place of an official image. */
export function createsImage({ recipe, os_image: image }: Device, action: SaveAction): boolean {
  if (action === "save_as" || image.is_official) return true;
  const hasImage = recipe?.items.some(({ type }) => type === "os_image") ?? false;
  return !hasImage && (recipe?.ova.is_official ?? false);
}
