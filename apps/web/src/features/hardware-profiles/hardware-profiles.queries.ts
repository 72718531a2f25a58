import "../../en/limits.ts";
import type { AppError, HardwareProfile, Sent, hardwareProfiles as routes } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import type { bodyOf } from "./profile-fields.ts";
import { isGone } from "../../shared/is-gone.ts";

type Query = Sent<typeof routes.list>["query"];
type Body = ReturnType<typeof bodyOf>;

const key = ["hardware-profiles"] as const;

export const hardwareProfilePage = (query: Query) => ({
  queryKey: [...key, query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.hardwareProfiles.list({ query }, { signal }),
});

/** The profiles of the person who is signed in, the last changed first. */
export const recentHardwareProfiles = hardwareProfilePage({ source: "owner", ordering: "-updated_at", page_size: 5 });

export const hardwareProfile = (uuid: string) => ({
  queryKey: [...key, "one", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.hardwareProfiles.get({ params: { uuid } }, { signal }),
});

/** Recipes hold their profile, and show it. */
const invalidates = () => [key, ["recipes"]];

/** The form says what was refused. */
const writing = (name: "create" | "duplicate") =>
  mutation({
    mutationKey: ["hardware-profiles", name],
    mutationFn: (body: Body) => client.hardwareProfiles.create({ body: body as Sent<typeof routes.create>["body"] }),
    invalidates,
    says: (t, profile) => t(`hardwareProfiles.${name}Success`, profile),
  });
export const createHardwareProfile = writing("create");
/** There is no call of its own for it: a copy is created. */
export const duplicateHardwareProfile = writing("duplicate");

export const editHardwareProfile = mutation({
  mutationKey: ["hardware-profiles", "edit"],
  mutationFn: ({ uuid, body }: { uuid: string; body: Body & { revision: number } }) =>
    client.hardwareProfiles.edit({ params: { uuid }, body: body as Sent<typeof routes.edit>["body"] }),
  invalidates,
  says: (t, profile) => t("hardwareProfiles.editSuccess", profile),
});

/** One that is gone already was what was wanted. The dialog says what was refused. */
export const deleteHardwareProfile = mutation({
  mutationKey: ["hardware-profiles", "delete"],
  mutationFn: ({ uuid }: HardwareProfile) =>
    client.hardwareProfiles.delete({ params: { uuid } }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    }),
  invalidates,
  says: (t, _, { name }) => t("hardwareProfiles.deleteSuccess", { name }),
});

/** What was refused, in words. */
export function refusalOf(
  t: TFunction,
  code: AppError["code"] | undefined,
  otherwise: `${"create" | "duplicate" | "edit" | "delete" | "fetch"}HardwareProfile`,
): string {
  if (code === "HARDWARE_PROFILE_NOT_FOUND") return t("errors.hardwareProfileNotFound");
  if (code === "HARDWARE_PROFILE_CHANGED") return t("errors.hardwareProfileChanged");
  if (code === "HARDWARE_PROFILE_NOT_ALLOWED") return t("errors.hardwareProfileNotAllowed");
  if (code === "TOO_MANY_HARDWARE_PROFILES") return t("errors.tooManyHardwareProfiles");
  if (code === "FORM_FACTOR_MISMATCH") return t("errors.formFactorMismatch");
  return t(`errors.${otherwise}`);
}
