import { type Arch, AppError, zones } from "@terrarium/contract";
import type { DeviceRuntime, ImageSpec } from "@terrarium/runtime";
import { transaction } from "../../platform/db/transaction.ts";
import { stableUuid } from "../../platform/ids.ts";
import type { By } from "../audit/by.ts";
import { Catalogue, rowsOf, upsertRows } from "../catalogue/catalogue.ts";
import type { ChangeOsImageDeps } from "./os-images.ts";
import {
  countRecipesOf,
  deleteOsImageRow,
  listOfficialImages,
  lockOfficialImages,
  setChecksum,
  setImageZones,
} from "./os-images.store.ts";

export { listOfficialImages } from "./os-images.store.ts";

export interface NewImage {
  name: string;
  runtime: string;
  /** What the runtime is to run: a container image, for instance. */
  artefact: string;
  arch: string;
  osVersion: string;
  sdkVersion: number;
  formFactors: string[];
  /** What `verify` of the runtime must say of it. */
  checksum?: string | undefined;
  /** Where it is; everywhere by default. */
  zones?: string[] | undefined;
}

/**
 * Adds an image that everybody can make recipes of; one of the same runtime, artefact and architecture is updated.
 * @throws Error that names what is wrong with it
 */
export async function addOfficialImage(
  { db, clock, audit }: ChangeOsImageDeps,
  { name, runtime, artefact, arch, osVersion, sdkVersion, formFactors, checksum, zones: asked }: NewImage,
  by: By,
): Promise<string> {
  const unknown = asked?.find((zone) => !zones.some((each) => each === zone));
  if (unknown !== undefined) throw new Error(`There is no zone ${unknown}, only ${zones.join(", ")}.`);
  const read = Catalogue.safeParse({
    os_images: [
      {
        key: stableUuid(`${runtime} ${artefact} ${arch}`),
        name,
        arch,
        os_version: osVersion,
        sdk_version: sdkVersion,
        image_version: osVersion,
        form_factors: formFactors,
        runtime,
        artefact,
      },
    ],
  });
  if (!read.success)
    throw new Error(read.error.issues.map(({ path, message }) => `${String(path.at(-1))}: ${message}`).join("\n"));
  const rows = rowsOf([read.data], new Date(clock.now()));
  const { uuid } = rows.images[0]!;
  await transaction(db, async (trx) => {
    await upsertRows(trx, rows);
    await setChecksum(trx, uuid, checksum ?? null);
    await setImageZones(trx, { runtime, artefact, zones: asked });
    const details = { name, runtime, artefact, ...(asked && { zones: asked.join(", ") }) };
    await audit.record(trx, by, { action: "os_image.add", subject: { kind: "os_image", uuid }, details });
  });
  return uuid;
}

/**
 * Removes an official image that no recipe uses; devices that run it go on.
 * @param called its uuid, or its name if no other has it
 * @param shipped the identifiers of those that the catalogue files add again at the next start
 * @throws Error that says why not
 */
export async function removeOfficialImage(
  { db, audit }: ChangeOsImageDeps,
  called: string,
  shipped: ReadonlySet<string>,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const [image, ...others] = await lockOfficialImages(trx, called);
    if (!image) throw new AppError("OS_IMAGE_NOT_FOUND");
    const { uuid, name } = image;
    if (others.length > 0)
      throw new Error(`Several images are called ${called}: ${[image, ...others].map((one) => one.uuid).join(", ")}.`);
    if (shipped.has(uuid)) throw new Error(`${name} is of the catalogue: the next start would bring it back.`);
    const recipes = await countRecipesOf(trx, uuid);
    if (recipes > 0) throw new Error(`${recipes} recipes are made of ${name}, or can go back to it.`);
    await deleteOsImageRow(trx, uuid);
    const subject = { kind: "os_image", uuid } as const;
    await audit.record(trx, by, { action: "os_image.delete", subject, details: { name } });
  });
}

export interface VerifiedImage {
  uuid: string;
  name: string;
  runtime: string;
  artefact: string;
  arch: Arch;
  checksum: string | null;
  /** Why it cannot be run as it is; null if it can. */
  problem: string | null;
}

/** Looks whether each official image is what it was, and is there, for the runtimes of this machine. */
export async function verifyOfficialImages(
  db: ChangeOsImageDeps["db"],
  runtimes: ReadonlyMap<string, DeviceRuntime>,
): Promise<VerifiedImage[]> {
  const verified = [];
  for (const {
    uuid,
    name,
    runtime,
    artefact,
    arch,
    os_version,
    sdk_version,
    image_version,
    checksum,
  } of await listOfficialImages(db)) {
    const image = { artefact, arch, osVersion: os_version, sdkVersion: sdk_version, imageVersion: image_version };
    const found = await look(runtimes.get(runtime), image).catch((error: unknown) => ({
      problem: error instanceof Error ? error.message : String(error),
      checksum: undefined,
    }));
    const isOther = checksum !== null && found.problem === null && found.checksum !== checksum;
    const problem = isOther
      ? `its checksum is ${found.checksum ?? "not known to the runtime"}, not ${checksum}`
      : found.problem;
    verified.push({ uuid, name, runtime, artefact, arch, checksum: found.checksum ?? checksum, problem });
  }
  return verified;
}

async function look(runtime: DeviceRuntime | undefined, image: ImageSpec) {
  if (!runtime) return { problem: "its runtime is not set up here", checksum: undefined };
  return { problem: null, checksum: await runtime.verify?.(image) };
}
