import "../../en/limits.ts";
import type { AppError, OsImage, Sent, osImages as routes } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";

const key = ["os-images"] as const;

export const osImagePage = (query: Sent<typeof routes.list>["query"]) => ({
  queryKey: [...key, query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.osImages.list({ query }, { signal }),
});

/** One image, as it is now. */
export const osImageOf = (uuid: string) => ({
  queryKey: [...key, "one", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.osImages.get({ params: { uuid } }, { signal }),
});

/** The first recipes that are made with an image. */
export const recipesOf = (image: string) => ({
  queryKey: ["recipes", "of-image", image] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.recipes.list({ query: { os_image_uuid: image, page_size: 5 } }, { signal }),
});

/** Recipes hold their image, and show it. */
const invalidates = () => [key, ["recipes"]];

interface Named {
  uuid: string;
  name: string;
}

/** The form says what was refused. */
export const duplicateOsImage = mutation({
  mutationKey: ["os-images", "duplicate"],
  mutationFn: ({ uuid, name }: Named) => client.osImages.duplicate({ params: { uuid }, body: { name } }),
  invalidates,
  says: (t, image) => t("osImages.duplicateSuccess", image),
});

export const editOsImage = mutation({
  mutationKey: ["os-images", "edit"],
  mutationFn: ({ uuid, name }: Named) => client.osImages.edit({ params: { uuid }, body: { name } }),
  invalidates,
  says: (t, image) => t("osImages.editSuccess", image),
});

/** One that is gone already was what was wanted. */
export const deleteOsImage = mutation({
  mutationKey: ["os-images", "delete"],
  mutationFn: ({ uuid }: OsImage) =>
    client.osImages.delete({ params: { uuid } }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    }),
  invalidates,
  says: (t, _, { name }) => t("osImages.deleteSuccess", { name }),
});

/** What was refused, in words. */
export function refusalOf(
  t: TFunction,
  code: AppError["code"] | undefined,
  otherwise: `${"duplicate" | "edit" | "delete"}OSImage`,
): string {
  switch (code) {
    case "OS_IMAGE_NOT_FOUND":
      return t("errors.osImageNotFound");
    case "OS_IMAGE_NOT_ALLOWED":
      return t("errors.osImageNotAllowed");
    case "TOO_MANY_OS_IMAGES":
      return t("errors.tooManyOSImages");
    case "OS_IMAGE_NOT_READY":
      return t("errors.osImageNotReady");
    case "OS_IMAGE_MUST_NOT_BE_SAVING":
      return t("errors.osImageSaving");
    default:
      return t(`errors.${otherwise}`);
  }
}
