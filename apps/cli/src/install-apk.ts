import { limits } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
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
