import type { Clock } from "@terrarium/clock";
import { Arch, FormFactor } from "@terrarium/contract";
import type { Insertable } from "kysely";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Database, Schema } from "../../database/schema.ts";
import { stableUuid } from "../../platform/ids.ts";
import { upsertCatalogue } from "./catalogue.store.ts";

export { upsertRows } from "./catalogue.store.ts";

const Key = z.string().regex(/^[a-z0-9._-]{1,100}$/i);
const Text = z.string().min(1).max(250);

const Profile = z.object({
  key: Key,
  name: Text,
  form_factor: FormFactor,
  display_mode: z.enum(["REGULAR", "FOLDABLE", "MULTI_DISPLAY"]),
  displays: z
    .array(
      z.object({
        width: z.int().min(1).max(8192),
        height: z.int().min(1).max(8192),
        density: z.int().min(72).max(960),
      }),
    )
    .min(1),
  hw_navigation_keys: z.boolean(),
  cpu_count: z.int().min(1),
  ram_size: z.int().min(256),
  data_disk_size: z.int().min(256),
  properties: z.record(z.string(), z.string()),
});

const Image = z.object({
  key: Key,
  name: Text,
  arch: Arch,
  os_version: z.string().regex(/^\d+(\.\d+)*$/),
  sdk_version: z.int(),
  image_version: Text,
  is_beta: z.boolean().default(false),
  form_factors: z.array(FormFactor).min(1),
  runtime: z.string(),
  artefact: Text,
});

/** One recipe for each version and architecture; the image's key is `image-version-arch`. */
const RecipeFamily = z.object({
  hardware_profile: Key,
  image: Key,
  versions: z.array(z.string()),
  arch: z.array(Arch),
});

export const Catalogue = z.object({
  hardware_profiles: z.array(Profile).default([]),
  os_images: z.array(Image).default([]),
  recipes: z.array(RecipeFamily).default([]),
});
export type Catalogue = z.infer<typeof Catalogue>;

export const officialCatalogue = new URL("official.json", import.meta.url);

/** Reads a catalogue file; throws a sentence that names the file and what is wrong in it. */
export async function readCatalogue(file: URL | string): Promise<Catalogue> {
  const parsed = Catalogue.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (!parsed.success) throw new Error(`The catalogue ${file} is not valid: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Brings the official rows in line with the files. Identifiers come from the keys, so they are the same on every installation. */
export async function loadCatalogue(db: Database, clock: Clock, catalogues: Catalogue[]): Promise<void> {
  const rows = rowsOf(catalogues, new Date(clock.now()));
  await upsertCatalogue(db, rows);
}

export interface CatalogueRows {
  profiles: Insertable<Schema["hardware_profiles"]>[];
  images: Insertable<Schema["os_images"]>[];
  recipes: Insertable<Schema["recipes"]>[];
}

/** The rows of all catalogues; a key that stands in a later one replaces the earlier. Throws when a recipe names what is not there. */
export function rowsOf(catalogues: Catalogue[], now: Date): CatalogueRows {
  const official = {
    is_official: true,
    owner_uuid: null,
    organization_uuid: null,
    created_at: now,
    updated_at: now,
  } as const;
  const profiles = byKey(catalogues.flatMap((catalogue) => catalogue.hardware_profiles));
  const images = byKey(catalogues.flatMap((catalogue) => catalogue.os_images));
  const recipes = catalogues
    .flatMap((catalogue) => catalogue.recipes)
    .flatMap((family) =>
      family.versions.flatMap((version) =>
        family.arch.map((arch) => {
          const profile = profiles.get(family.hardware_profile);
          const image = images.get(`${family.image}-${version}-${arch}`);
          if (!profile || !image)
            throw new Error(
              `No hardware profile or image for ${family.hardware_profile}, ${family.image}-${version}-${arch}`,
            );
          if (!image.form_factors.includes(profile.form_factor))
            throw new Error(`${image.key} does not support ${profile.form_factor}`);
          return {
            ...official,
            uuid: stableUuid(`recipe:${profile.key}:${image.key}`),
            name: `${profile.name}, Android ${shortVersion(version)}`,
            status: "READY" as const,
            hardware_profile_uuid: stableUuid(`hardware-profile:${profile.key}`),
            os_image_uuid: stableUuid(`os-image:${image.key}`),
          };
        }),
      ),
    );
  return {
    profiles: [...profiles.values()].map(({ key, ...profile }, position) => ({
      ...official,
      ...profile,
      displays: JSON.stringify(profile.displays),
      properties: JSON.stringify(profile.properties),
      uuid: stableUuid(`hardware-profile:${key}`),
      position,
    })),
    images: [...images.values()].map(({ key, ...image }, position) => ({
      ...official,
      ...image,
      status: "READY",
      uuid: stableUuid(`os-image:${key}`),
      position,
    })),
    recipes: recipes.map((recipe, position) => ({ ...recipe, position })),
  };
}

const byKey = <Row extends { key: string }>(rows: Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.key, row]));

/** `15` for `15.0`, but `5.0` and `5.1` as people call them. */
const shortVersion = (version: string): string => (version.startsWith("5") ? version : version.replace(/\.0$/, ""));
