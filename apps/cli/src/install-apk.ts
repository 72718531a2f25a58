import type { AdbLink } from "@terrarium/adb";
import { limits } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Failure } from "./failures.ts";

const APK = "application/vnd.android.package-archive";

/** A file of this machine, and not a folder. Throws a Failure otherwise. */
async function statFile(file: string) {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new Failure("USAGE_ERROR", `${file} is not a file.`);
  return found;
}

/** Throws a Failure if the file is not there, or larger than an app may be. */
export async function checkApk(file: string): Promise<void> {
  const { size } = await statFile(file);
  if (size > limits.appBytes)
    throw new Failure("USAGE_ERROR", `${file} is larger than ${limits.appBytes} bytes, the most for an app.`);
}

/** Installs an app on a device and opens it; resolves with the name of its package, if the device says it. */
export async function installApk(client: Client, uuid: string, file: string, signal: AbortSignal) {
  await checkApk(file);
  const body = await openAsBlob(file, { type: APK });
  return (await client.instances.installApp({ params: { uuid }, body }, { signal })).package_name;
}

/** Those apps that are not on the device byte by byte: not at all, or in another version. */
export async function missingApps(link: AdbLink, apps: readonly string[], signal: AbortSignal): Promise<string[]> {
  if (apps.length === 0) return [];
  const listed = await link.shell(["pm", "list", "packages", "-3", "-f"], { signal });
  const paths = [...listed.stdout.matchAll(/^package:(.*\.apk)=[^=]*$/gm)].map(([, path]) => path!);
  const sums = paths.length > 0 ? (await link.shell(["sha256sum", ...paths], { signal })).stdout : "";
  const held = new Set([...sums.matchAll(/^[0-9a-f]{64}/gm)].map(([sum]) => sum));
  const missing: string[] = [];
  for (const app of apps) if (!held.has(await sumOf(app))) missing.push(app);
  return missing;
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
