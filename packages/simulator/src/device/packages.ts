import { type ApkInfo, readApk } from "../apk/apk.ts";
import { FileError } from "../files/file-error.ts";
import type { FileReader } from "../files/file-reader.ts";
import { directoryName } from "../files/path.ts";
import { abisOf } from "./abi.ts";
import type { MachineSpec } from "@terrarium/runtime";
import type { Files } from "../files/files.ts";
import { LAUNCHER, type OwnApp, ownApps, platformPackages } from "./own-apps.ts";

/** A package the device has. */
export interface InstalledPackage {
  packageName: string;
  label: string;
  versionCode: number;
  versionName: string;
  minSdk: number;
  targetSdk: number;
  system: boolean;
  uid: number;
  /** Its base APK, and the other parts of it. */
  path: string;
  splits: string[];
  installedMs: number;
  updatedMs: number;
  debuggable: boolean;
  /** Full class name of what a launcher starts. */
  launcherActivity: string | undefined;
  permissions: string[];
  granted: Set<string>;
}

export interface InstallRules {
  /** Replace a package that is there. */
  replace: boolean;
  allowDowngrade: boolean;
  allowTestOnly: boolean;
  grantAll: boolean;
  bypassLowTargetSdk: boolean;
}

/** What survives a reboot of the packages' state. */
export interface PersistentPackages {
  installed: (Omit<InstalledPackage, "granted"> & { granted: string[] })[];
  nextUid: number;
  nextStage: number;
}

/** `undefined` is success; else what stands in the brackets of `Failure [...]`. */
export type InstallFailure = string | undefined;

const FIRST_APP_UID = 10_100;
const MAX_PACKAGES = 500;

/** Which packages are on the device. Installed code is never run; the package is real in all else. */
export class Packages {
  readonly #all = new Map<string, InstalledPackage>();
  readonly #spec: MachineSpec;
  readonly #files: Files;
  readonly #now: () => number;
  readonly #changed: () => void;
  readonly #log: (message: string) => void;
  #nextUid = FIRST_APP_UID;
  #nextStage = 1;

  constructor(options: {
    spec: MachineSpec;
    files: Files;
    now: () => number;
    builtMs: number;
    /** Called after each change of what is installed. */
    changed: () => void;
    log: (message: string) => void;
  }) {
    this.#spec = options.spec;
    this.#files = options.files;
    this.#now = options.now;
    this.#changed = options.changed;
    this.#log = options.log;
    const { sdkVersion, osVersion } = options.spec.image;
    const common = {
      system: true,
      minSdk: sdkVersion,
      targetSdk: sdkVersion,
      versionCode: sdkVersion,
      versionName: osVersion,
    };
    const times = {
      splits: [],
      installedMs: options.builtMs,
      updatedMs: options.builtMs,
      debuggable: false,
      permissions: [],
    };
    for (const packageName of platformPackages)
      this.#add({
        ...common,
        ...times,
        packageName,
        label: packageName,
        uid: packageName === "com.android.shell" ? 2000 : 1000,
        path: "/system/framework/framework-res.apk",
        launcherActivity: undefined,
        granted: new Set(),
      });
    for (const app of ownApps)
      this.#add({
        ...common,
        ...times,
        packageName: app.packageName,
        label: app.label,
        versionName: app.versionName,
        uid: app.uid,
        path: apkOf(app),
        launcherActivity: app.packageName + app.activity,
        granted: new Set(),
      });
  }

  list(): InstalledPackage[] {
    return [...this.#all.values()].toSorted((a, b) => (a.packageName < b.packageName ? -1 : 1));
  }

  get(packageName: string): InstalledPackage | undefined {
    return this.#all.get(packageName);
  }

  /** What a launcher shows. */
  launchable(): InstalledPackage[] {
    return this.list().filter(
      (one) => one.packageName !== LAUNCHER && !(platformPackages as readonly string[]).includes(one.packageName),
    );
  }

  /** What was installed and granted. Those of the system image are of another device as well. */
  save(): PersistentPackages {
    const installed = this.list().filter(({ system }) => !system);
    return {
      installed: installed.map((one) => ({ ...one, granted: [...one.granted].toSorted() })),
      nextUid: this.#nextUid,
      nextStage: this.#nextStage,
    };
  }

  restore({ installed, nextUid, nextStage }: PersistentPackages): void {
    for (const one of installed) this.#add({ ...one, granted: new Set(one.granted) });
    this.#nextUid = nextUid;
    this.#nextStage = nextStage;
  }

  /** A new path for an APK that is being received. The caller removes it. */
  stage(): string {
    return `/data/app/vmdl${this.#nextStage++}.tmp.apk`;
  }

  /** Installs from files on the device, which stay where they are: a base APK and, if it was split, its other parts. */
  install(paths: readonly string[], rules: InstallRules): InstallFailure {
    const parts: { path: string; apk: ApkInfo }[] = [];
    for (const path of paths) {
      const apk = this.#read(path);
      if (typeof apk === "string") return apk;
      parts.push({ path, apk });
    }
    const base = parts.find(({ apk }) => apk.split === undefined);
    const inconsistent = inconsistencyOf(parts.map(({ apk }) => apk));
    if (inconsistent !== undefined || !base) return `INSTALL_FAILED_INVALID_APK: ${inconsistent}`;
    const { apk } = base;
    const before = this.#all.get(apk.packageName);
    const refused = this.#refusal(apk, before, rules);
    if (refused) return refused;
    const folder = `/data/app/${apk.packageName}-${this.#nextStage++}`;
    const files = parts.map(({ path, apk: { split } }) => ({
      from: path,
      to: `${folder}/${split === undefined ? "base" : `split_${split}`}.apk`,
    }));
    try {
      this.#files.makeDirectory(folder, 0o755);
      for (const { from, to } of files) this.#files.copy(from, to, 0o644);
      this.#makeData(apk.packageName, before?.uid ?? this.#nextUid);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (this.#files.exists(folder)) this.#files.removeTree(folder);
      return "INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to override installation location";
    }
    if (before && !before.system) this.#files.removeTree(directoryName(before.path));
    const now = this.#now();
    const path = `${folder}/base.apk`;
    this.#add({
      ...apk,
      system: false,
      uid: before?.uid ?? this.#nextUid++,
      path,
      splits: files.map(({ to }) => to).filter((to) => to !== path),
      installedMs: before?.installedMs ?? now,
      updatedMs: now,
      granted: new Set(rules.grantAll ? apk.permissions : before?.granted),
    });
    this.#log(`Installed ${apk.packageName}; its code is not run on a simulated device`);
    this.#changed();
    return undefined;
  }

  /** What an APK says of itself, or why it cannot be installed. */
  #read(path: string): ApkInfo | string {
    let reader: FileReader;
    try {
      reader = this.#files.open(path);
    } catch (error) {
      if (error instanceof FileError) return "INSTALL_FAILED_INVALID_URI";
      throw error;
    }
    const apk = readApk(reader);
    return "fault" in apk ? `${apk.fault}: ${apk.detail}` : apk;
  }

  /** Returns false if there is no such package or it is part of the system. */
  uninstall(packageName: string, keepData = false): boolean {
    const one = this.#all.get(packageName);
    if (!one || one.system) return false;
    this.#all.delete(packageName);
    this.#files.removeTree(directoryName(one.path));
    const data = `/data/data/${packageName}`;
    if (!keepData && this.#files.exists(data)) this.#files.removeTree(data);
    this.#changed();
    return true;
  }

  /** Removes an app's data. Returns false if there is no such package. */
  clear(packageName: string): boolean {
    const one = this.#all.get(packageName);
    if (!one) return false;
    const data = `/data/data/${packageName}`;
    if (this.#files.exists(data)) this.#files.removeTree(data);
    this.#makeData(packageName, one.uid);
    this.#changed();
    return true;
  }

  #refusal(apk: ApkInfo, before: InstalledPackage | undefined, rules: InstallRules): InstallFailure {
    const { sdkVersion, arch } = this.#spec.image;
    if (apk.minSdk > sdkVersion)
      return `INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #${apk.minSdk} (current version is #${sdkVersion})`;
    const lowest = sdkVersion >= 35 ? 24 : sdkVersion >= 34 ? 23 : 0;
    if (apk.targetSdk < lowest && !rules.bypassLowTargetSdk)
      return `INSTALL_FAILED_DEPRECATED_SDK_VERSION: App package must target at least SDK version ${lowest}, but found ${apk.targetSdk}`;
    if (apk.testOnly && !rules.allowTestOnly)
      return "INSTALL_FAILED_TEST_ONLY: Failed to install test-only apk. Did you forget to add -t?";
    if (apk.abis.length > 0 && !apk.abis.some((abi) => abisOf(arch).includes(abi)))
      return "INSTALL_FAILED_NO_MATCHING_ABIS: Failed to extract native libraries, res=-113";
    if (before?.system) return `INSTALL_FAILED_UPDATE_INCOMPATIBLE: ${apk.packageName} is part of the system`;
    if (before && !rules.replace)
      return `INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install ${apk.packageName} without first uninstalling.`;
    if (before && apk.versionCode < before.versionCode && !rules.allowDowngrade)
      return `INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code ${apk.versionCode} is older than current ${before.versionCode}`;
    if (!before && this.#all.size >= MAX_PACKAGES) return "INSTALL_FAILED_INSUFFICIENT_STORAGE: too many packages";
    return undefined;
  }

  #makeData(packageName: string, uid: number): void {
    const path = `/data/data/${packageName}`;
    if (this.#files.exists(path)) return;
    for (const [folder, mode] of [
      [path, 0o700],
      [`${path}/files`, 0o771],
      [`${path}/cache`, 0o771],
    ] as const) {
      this.#files.makeDirectory(folder, mode);
      this.#files.chown(folder, uid, uid);
    }
  }

  #add(one: InstalledPackage): void {
    this.#all.set(one.packageName, one);
  }
}

/** Why APKs are not the parts of one application, in the package installer's words. */
function inconsistencyOf(apks: readonly ApkInfo[]): string | undefined {
  const [first] = apks;
  if (!first) return "No packages staged";
  const names = new Set<string | undefined>();
  for (const { packageName, versionCode, split } of apks) {
    const part = split ?? "base";
    if (packageName !== first.packageName)
      return `${part} package ${packageName} inconsistent with ${first.packageName}`;
    if (versionCode !== first.versionCode)
      return `${part} version code ${versionCode} inconsistent with ${first.versionCode}`;
    if (names.has(split)) return `Split ${split ?? null} was defined multiple times`;
    names.add(split);
  }
  return names.has(undefined) ? undefined : "Full install must include a base package";
}

const apkOf = (app: OwnApp): string => `/system/app/${app.folder}/${app.folder}.apk`;
