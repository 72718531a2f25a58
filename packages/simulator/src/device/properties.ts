import { createHash } from "node:crypto";
import type { MachineSpec } from "@terrarium/runtime";
import { abisOf } from "./abi.ts";
import { type DeviceStateValues, initialState, type MobileProfile } from "./device-state.ts";
import { hasPhone } from "./phone.ts";
import { androidVersion } from "./android-version.ts";
import { hasNavigationBar } from "./has-navigation-bar.ts";

/** Property a hardware profile's own name sets. */
const overrides: Record<string, readonly string[]> = {
  product_board: ["ro.product.board"],
  product_brand: ["ro.product.brand"],
  product_manufacturer: ["ro.product.manufacturer"],
  product_model: ["ro.product.model"],
  product_device: ["ro.product.device"],
  product_name: ["ro.product.name"],
  serialno: ["ro.serialno", "ro.boot.serialno"],
  build_type: ["ro.build.type"],
  build_tags: ["ro.build.tags"],
  build_display_id: ["ro.build.display.id"],
  vm_heap_size: ["dalvik.vm.heapsize"],
};

const characteristics = {
  PHONE: "default",
  TABLET: "tablet",
  FOLDABLE: "default",
  TV: "tv",
  WATCH: "watch",
  CAR: "automotive",
};

const MAX_VALUE_BYTES = 91;
const MAX_NAME_BYTES = 256;
const MAX_PROPERTIES = 2048;

/** The system properties of one device: `ro.*` as image and profile say, the rest as the device sets them. */
export class Properties {
  #values: Map<string, string>;
  readonly #initial: Readonly<Record<string, string>>;
  #changed = new Set<(name: string, value: string) => void>();

  constructor(values: Record<string, string>) {
    this.#values = new Map(Object.entries(values));
    this.#initial = values;
  }

  get(name: string): string {
    return this.#values.get(name) ?? "";
  }

  /** All of them, sorted by name. */
  entries(): [string, string][] {
    return [...this.#values].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Sets a property as the system does. */
  set(name: string, value: string): void {
    this.#values.set(name, value);
    for (const listener of this.#changed) listener(name, value);
  }

  setAll(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) this.set(name, value);
  }

  /** Sets a property as a shell may. Returns why not, or undefined on success. */
  setFromShell(name: string, value: string): string | undefined {
    const bad = name === "" || name.length > MAX_NAME_BYTES || !/^[\w.:@-]+$/.test(name) || name.startsWith(".");
    if (bad) return "invalid name";
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES) return "value too long";
    if (!/^(debug|persist\.(log|sys|debug)|log|sys|test|viewroot|dalvik|wlan|ctl|service)\./.test(name))
      return "permission denied";
    if (!this.#values.has(name) && this.#values.size >= MAX_PROPERTIES) return "no room";
    this.set(name, value);
    return undefined;
  }

  /** Those that survive a reboot of Android, as far as they differ from a new device's. */
  persistentChanges(): [string, string][] {
    return this.entries().filter(([name, value]) => name.startsWith("persist.") && this.#initial[name] !== value);
  }

  /** Calls `listener` after each change, until the returned function is called. */
  watch(listener: (name: string, value: string) => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }
}

/** As Android names them (`TelephonyManager.getNetworkTypeName`). */
export const networkTypes: Readonly<Record<MobileProfile, string>> = {
  "5g": "NR",
  lte: "LTE",
  hsdpa: "HSDPA",
  umts: "UMTS",
  edge: "EDGE",
  gprs: "GPRS",
  gsm: "GSM",
  none: "Unknown",
};

/** What a phone's properties say of its SIM and its network. */
export const phoneProperties = ({ sim, mobileProfile }: Pick<DeviceStateValues, "sim" | "mobileProfile">) => ({
  "gsm.network.type": networkTypes[mobileProfile],
  "gsm.operator.alpha": sim.networkName,
  "gsm.operator.numeric": sim.networkOperator,
  "gsm.sim.operator.alpha": sim.simName,
  "gsm.sim.operator.numeric": sim.simOperator,
});

/** What a device of this spec says of itself before it has booted. */
export function initialProperties(spec: MachineSpec, builtMs: number): Record<string, string> {
  const { id, image, hardware } = spec;
  const version = androidVersion(image.sdkVersion);
  const word = hardware.name.replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_|_$/g, "") || "device";
  const base: Record<string, string> = {
    "ro.product.board": "terrarium",
    "ro.product.brand": "Terrarium",
    "ro.product.manufacturer": "Terrarium",
    "ro.product.model": hardware.name,
    "ro.product.device": word.toLowerCase(),
    "ro.product.name": word.toLowerCase(),
    "ro.serialno": createHash("sha256").update(id).digest("hex").slice(0, 16),
    "ro.build.type": "userdebug",
    "ro.build.tags": "test-keys",
    "dalvik.vm.heapsize": "512m",
  };
  base["ro.boot.serialno"] = base["ro.serialno"]!;
  let displayId: string | undefined;
  for (const [name, value] of Object.entries(hardware.properties)) {
    if (value === "") continue;
    if (name === "build_display_id") displayId = value;
    // Profiles may state the heap as a number of megabytes; Android wants the unit.
    const given = name === "vm_heap_size" && /^\d+$/.test(value) ? `${value}m` : value;
    for (const property of overrides[name] ?? (name.includes(".") ? [name] : [])) base[property] = given;
  }
  const [brand, device, product] = [base["ro.product.brand"]!, base["ro.product.device"]!, base["ro.product.name"]!];
  const [type, tags] = [base["ro.build.type"]!, base["ro.build.tags"]!];
  const incremental = image.imageVersion;
  const fingerprint = `${brand}/${product}/${device}:${version.release}/${version.buildId}/${incremental}:${type}/${tags}`;
  const abis = abisOf(image.arch);
  const abis64 = abis.filter((abi) => abi.includes("64"));
  const abis32 = abis.filter((abi) => !abi.includes("64"));
  return {
    "ro.board.platform": "terrarium",
    "ro.bootloader": "unknown",
    "ro.boot.hardware": "terrarium",
    "ro.build.characteristics": characteristics[hardware.formFactor],
    "ro.build.date.utc": String(Math.floor(builtMs / 1000)),
    "ro.build.description": `${product}-${type} ${version.release} ${version.buildId} ${incremental} ${tags}`,
    "ro.build.display.id": displayId ?? `${version.buildId} ${tags}`,
    "ro.build.fingerprint": fingerprint,
    "ro.build.id": version.buildId,
    "ro.build.product": device,
    "ro.build.version.all_codenames": "REL",
    "ro.build.version.codename": "REL",
    "ro.build.version.incremental": incremental,
    "ro.build.version.release": version.release,
    ...(image.sdkVersion >= 30 ? { "ro.build.version.release_or_codename": version.release } : {}),
    "ro.build.version.sdk": String(image.sdkVersion),
    ...(version.securityPatch ? { "ro.build.version.security_patch": version.securityPatch } : {}),
    "ro.crypto.state": image.sdkVersion >= 24 ? "encrypted" : "unencrypted",
    "ro.debuggable": type === "user" ? "0" : "1",
    "ro.hardware": "terrarium",
    "ro.product.cpu.abi": abis[0]!,
    "ro.product.cpu.abilist": abis.join(","),
    "ro.product.cpu.abilist32": abis32.join(","),
    "ro.product.cpu.abilist64": abis64.join(","),
    "ro.product.locale": "en-US",
    "ro.secure": "1",
    "ro.sf.lcd_density": String(hardware.displays[0]!.density),
    "ro.terrarium.simulated": "1",
    "ro.terrarium.image.version": image.imageVersion,
    "ro.zygote": abis64.length > 0 ? "zygote64_32" : "zygote32",
    "gsm.sim.state": hasPhone({ spec }) ? "LOADED" : "NOT_READY",
    ...(hasPhone({ spec }) ? phoneProperties(initialState) : {}),
    "init.svc.adbd": "running",
    // "1" hides Android's own navigation bar (DisplayPolicy); the name comes from its emulator.
    "qemu.hw.mainkeys": hasNavigationBar(hardware) ? "0" : "1",
    "persist.sys.locale": "en-US",
    "persist.sys.timezone": "UTC",
    "sys.usb.config": "adb",
    "sys.usb.state": "adb",
    ...base,
  };
}
