import { readBinaryXml, valueType, type XmlAttribute, type XmlElement } from "./binary-xml.ts";
import { type RandomAccess, unzipEntry, zipEntries } from "./zip-directory.ts";

/** What the package manager reads from an APK. */
export interface ApkInfo {
  packageName: string;
  /** The name of the part of an application that this APK is; undefined for the base. */
  split: string | undefined;
  versionCode: number;
  versionName: string;
  minSdk: number;
  targetSdk: number;
  /** The application's label when it is written in the manifest itself, else the package name. */
  label: string;
  /** ABIs it brings native code for; empty when it has none. */
  abis: string[];
  debuggable: boolean;
  testOnly: boolean;
  /** Full class name of the activity a launcher starts. */
  launcherActivity: string | undefined;
  permissions: string[];
}

/** The codes of `pm install` for an APK that cannot be read. */
export type ApkFault =
  | "INSTALL_PARSE_FAILED_NOT_APK"
  | "INSTALL_PARSE_FAILED_BAD_MANIFEST"
  | "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED"
  | "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME";

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MANIFEST = "AndroidManifest.xml";
/** Ids of android.R.attr. */
const attr = {
  label: 0x01010001,
  name: 0x01010003,
  debuggable: 0x0101000f,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  testOnly: 0x01010272,
} as const;

/** It becomes part of a file name. */
const SPLIT_NAME = /^[A-Za-z]\w{0,99}(\.\w{1,99}){0,9}$/;
const PACKAGE_NAME = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;

/** Reads an APK. Faults are returned, not thrown. */
export function readApk(file: RandomAccess): ApkInfo | { fault: ApkFault; detail: string } {
  const entries = zipEntries(file);
  const manifest = entries?.find((entry) => entry.name === MANIFEST);
  if (!entries || !manifest) return { fault: "INSTALL_PARSE_FAILED_NOT_APK", detail: "Failed to parse base.apk" };
  const bytes = unzipEntry(file, manifest, MAX_MANIFEST_BYTES);
  if (!bytes) return { fault: "INSTALL_PARSE_FAILED_NOT_APK", detail: `Failed to read ${MANIFEST}` };
  let elements: XmlElement[];
  try {
    elements = readBinaryXml(bytes);
  } catch {
    return { fault: "INSTALL_PARSE_FAILED_BAD_MANIFEST", detail: `Corrupt XML binary file ${MANIFEST}` };
  }
  const root = elements[0];
  if (root?.name !== "manifest")
    return { fault: "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED", detail: "No <manifest> tag" };
  const plain = (name: string) => root.attributes.find((attribute) => attribute.name === name)?.text;
  const packageName = plain("package") ?? "";
  if (!PACKAGE_NAME.test(packageName) || packageName.length > 223)
    return {
      fault: "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME",
      detail: `Invalid manifest package: ${JSON.stringify(packageName)}`,
    };
  const split = plain("split");
  if (split !== undefined && !SPLIT_NAME.test(split))
    return { fault: "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME", detail: `Invalid split name: ${JSON.stringify(split)}` };
  const abis = new Set<string>();
  for (const { name } of entries) {
    const abi = /^lib\/([^/]+)\/[^/]+\.so$/.exec(name)?.[1];
    if (abi) abis.add(abi);
  }
  const application = elements.find((element) => element.name === "application");
  const uses = elements.find((element) => element.name === "uses-sdk");
  const minSdk = numberOf(uses, attr.minSdkVersion) ?? 1;
  return {
    packageName,
    split,
    versionCode: numberOf(root, attr.versionCode) ?? 0,
    versionName: textOf(root, attr.versionName) ?? "",
    minSdk,
    targetSdk: numberOf(uses, attr.targetSdkVersion) ?? minSdk,
    label: textOf(application, attr.label) ?? packageName,
    abis: [...abis],
    debuggable: numberOf(application, attr.debuggable) !== undefined && numberOf(application, attr.debuggable) !== 0,
    testOnly: (numberOf(application, attr.testOnly) ?? 0) !== 0,
    launcherActivity: launcherOf(elements, packageName),
    permissions: elements
      .filter((element) => element.name === "uses-permission")
      .map((element) => textOf(element, attr.name) ?? ""),
  };
}

function launcherOf(elements: XmlElement[], packageName: string): string | undefined {
  let activity: XmlElement | undefined;
  for (const element of elements) {
    if (element.name === "activity" || element.name === "activity-alias") activity = element;
    if (element.name === "category" && textOf(element, attr.name) === "android.intent.category.LAUNCHER") {
      const name = textOf(activity, attr.name);
      if (name !== undefined)
        return name.startsWith(".") || !name.includes(".") ? `${packageName}.${name.replace(/^\./, "")}` : name;
    }
  }
  return undefined;
}

const find = (element: XmlElement | undefined, id: number): XmlAttribute | undefined =>
  element?.attributes.find((attribute) => attribute.resourceId === id);

function textOf(element: XmlElement | undefined, id: number): string | undefined {
  const found = find(element, id);
  return found?.type === valueType.reference ? undefined : found?.text;
}

function numberOf(element: XmlElement | undefined, id: number): number | undefined {
  const found = find(element, id);
  if (!found || found.type < valueType.decimal) return undefined;
  return found.type === valueType.boolean ? Number(found.value !== 0) : found.value;
}
