import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

/** The stock adb with its own server, apart from any that a developer uses. */
export async function stockAdb() {
  const port = await freePort();
  const env = { ...process.env, ANDROID_ADB_SERVER_PORT: String(port) };
  const run = (...words: string[]) =>
    promisify(execFile)("adb", words, { env, maxBuffer: 64 * 1024 * 1024, encoding: "utf8" });
  return {
    /** For programs that run adb themselves. */
    env,
    run,
    /** Connects to a device; returns a function that runs adb commands on it. */
    async connect(address: string) {
      await run("connect", address);
      return (...words: string[]) => run("-s", address, ...words);
    },
    stop: async () => void (await run("kill-server").catch(() => undefined)),
  };
}
