import { type Answer, AppError, type operator, type Received } from "@terrarium/contract";
import { createHash } from "node:crypto";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import type { Database } from "../../database/schema.ts";
import { Catalogue, type CatalogueRows, rowsOf, upsertRows } from "../catalogue/catalogue.ts";
import { findFound, type GatewayDevice } from "../instances/gateways.ts";
import { listGateways } from "./operator.store.ts";
import type { OperateDeps } from "./organizations.ts";

/** The least that a hardware profile takes, for a device that does not report its own. */
const LEAST_MB = 256;

/** A device that has said what it is. */
type KnownDevice = GatewayDevice & { image: object; hardware: object };

/** The same for all devices that a recipe lends. */
export const offeredKey = (
  runtime: string,
  { artefact, sdkVersion }: Pick<KnownDevice["image"], "artefact" | "sdkVersion">,
): string => [runtime, artefact, sdkVersion].join(" ");

/**
 * Makes an official recipe of a device that a gateway has found; done again, it is brought up to date.
 * @throws AppError FOUND_DEVICE_NOT_FOUND, also if what it says of itself makes no recipe
 */
export async function offerDevice(
  { db, clock, audit }: Pick<OperateDeps, "db" | "clock" | "audit">,
  { gateway, runtime, key }: Received<typeof operator.offer>["body"],
  by: By,
): Promise<Answer<typeof operator.offer>> {
  return transaction(db, async (trx) => {
    const found = await findFound(trx, gateway);
    const device = found?.devices.find((one) => one.runtime === runtime && one.key === key);
    if (!device?.image || !device.hardware)
      throw new AppError("FOUND_DEVICE_NOT_FOUND", device?.problem ? { message: device.problem } : {});
    const rows = rowsFor({ ...device, image: device.image, hardware: device.hardware }, new Date(clock.now()));
    await upsertRows(trx, rows);
    const { uuid, name } = rows.recipes[0]!;
    const subject = { kind: "recipe", uuid } as const;
    await audit.record(trx, by, { action: "catalogue.offer", subject, details: { name, device: key, runtime } });
    return { uuid, name };
  });
}

/** What gateways have found, with the reason of what could not be started. */
export const listFound = async (db: Database) =>
  (await listGateways(db)).flatMap(({ id, found }) =>
    found.devices.map(({ runtime, key, name, isFree, problem }) => ({
      gateway: id,
      runtime,
      key,
      name,
      says: problem ?? (isFree ? "free" : "in use"),
    })),
  );

/** Makes an official recipe of what is called so. @throws Error if nothing is, or several things are */
export async function offerCalled(
  deps: Pick<OperateDeps, "db" | "clock" | "audit">,
  called: { key: string; runtime: string | undefined },
  by: By,
) {
  const all = (await listFound(deps.db)).filter(
    ({ key, runtime }) => key === called.key && runtime === (called.runtime ?? runtime),
  );
  const [found] = all;
  if (!found) throw new Error(`No gateway has found ${called.key}: found list`);
  if (new Set(all.map(({ runtime }) => runtime)).size > 1)
    throw new Error(`Name one with --runtime: ${all.map(({ runtime }) => runtime).join(", ")}`);
  return offerDevice(deps, found, by);
}

function rowsFor(
  { runtime, name, image, hardware }: Required<Pick<KnownDevice, "runtime" | "name" | "image" | "hardware">>,
  now: Date,
): CatalogueRows {
  const key = `${runtime}-${createHash("sha256").update(offeredKey(runtime, image)).digest("hex").slice(0, 16)}`;
  const { osVersion, arch } = image;
  const isFoldable = hardware.formFactor === "FOLDABLE";
  const formFactor = hardware.formFactor === "FOLDABLE" ? "PHONE" : hardware.formFactor;
  const profile = {
    key,
    name,
    form_factor: formFactor,
    display_mode: isFoldable ? ("FOLDABLE" as const) : ("REGULAR" as const),
    displays: hardware.displays.map(({ width, height, density }) => ({ width, height, density })),
    hw_navigation_keys: hardware.hwNavigationKeys,
    cpu_count: hardware.cpuCount,
    ram_size: Math.max(LEAST_MB, hardware.ramMb),
    data_disk_size: Math.max(LEAST_MB, hardware.dataDiskMb),
    properties: hardware.properties,
  };
  const osImage = {
    key: `${key}-${osVersion}-${arch}`,
    name: `${name}, Android ${osVersion}`,
    arch,
    os_version: osVersion,
    sdk_version: image.sdkVersion,
    image_version: image.imageVersion,
    is_beta: false,
    form_factors: [formFactor],
    runtime,
    artefact: image.artefact,
  };
  const recipe = { hardware_profile: key, image: key, versions: [osVersion], arch: [arch] };
  const read = Catalogue.safeParse({ hardware_profiles: [profile], os_images: [osImage], recipes: [recipe] });
  if (read.success) return rowsOf([read.data], now);
  throw new AppError("FOUND_DEVICE_NOT_FOUND", { facts: { key, problem: read.error.message } });
}
