import type { Database } from "../../database/schema.ts";
import type { ShownSnapshot } from "./instances.tables.ts";

/** Whether the device is online. It is then locked until the transaction ends. */
export async function lockOnline(trx: Database, uuid: string): Promise<boolean> {
  const online = trx.selectFrom("instances").select("uuid").where("uuid", "=", uuid).where("state", "=", "ONLINE");
  return (await online.forUpdate().executeTakeFirst()) !== undefined;
}

export type RecipeToSave = NonNullable<Awaited<ReturnType<typeof lockRecipe>>>;

export const lockRecipe = (trx: Database, uuid: string) =>
  trx
    .selectFrom("recipes")
    .select([
      "uuid",
      "name",
      "description",
      "status",
      "is_official",
      "owner_uuid",
      "organization_uuid",
      "os_image_uuid",
    ])
    .where("uuid", "=", uuid)
    .forUpdate()
    .executeTakeFirst();

export const lockImage = (trx: Database, uuid: string) =>
  trx
    .selectFrom("os_images")
    .select(["uuid", "status", "owner_uuid", "form_factors"])
    .where("uuid", "=", uuid)
    .forUpdate()
    .executeTakeFirst();

/** A recipe or image is being saved into. */
export async function setUpdating(trx: Database, table: "recipes" | "os_images", uuid: string, now: Date) {
  await trx.updateTable(table).set({ status: "UPDATING", updated_at: now }).where("uuid", "=", uuid).execute();
}

interface Created {
  uuid: string;
  name: string;
  owner: { uuid: string; organization: string | null };
  now: Date;
}

const createdRow = ({ uuid, name, owner, now }: Created) => ({
  uuid,
  name,
  status: "CREATING" as const,
  is_official: false,
  owner_uuid: owner.uuid,
  organization_uuid: owner.organization,
  created_at: now,
  updated_at: now,
});

/** An image of which devices are made like one that ran, without layers yet. */
export async function insertSavedImage(
  trx: Database,
  { image, formFactors, ...created }: Created & { image: ShownSnapshot["osImage"]; formFactors: string[] },
): Promise<void> {
  const row = {
    ...createdRow(created),
    is_beta: image.isBeta,
    arch: image.arch,
    os_version: image.osVersion,
    sdk_version: image.sdkVersion,
    image_version: image.imageVersion,
    form_factors: formFactors,
    runtime: image.runtime,
    artefact: image.artefact,
  };
  await trx.insertInto("os_images").values(row).execute();
}

/** A recipe of a device; without a hardware profile if the device's was deleted. */
export async function insertSavedRecipe(
  trx: Database,
  {
    description,
    hardwareProfile,
    osImage,
    ...created
  }: Created & { description: string; hardwareProfile: string; osImage: string },
): Promise<void> {
  await trx
    .insertInto("recipes")
    .values((insert) => ({
      ...createdRow(created),
      description,
      hardware_profile_uuid: insert
        .selectFrom("hardware_profiles")
        .select("hardware_profiles.uuid")
        .where("hardware_profiles.uuid", "=", hardwareProfile)
        .forKeyShare(),
      os_image_uuid: osImage,
    }))
    .execute();
}
