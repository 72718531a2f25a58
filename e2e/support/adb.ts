import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

/** The stock adb with a server of its own, so that tests and people's devices do not meet. */
export async function stockAdb() {
  const port = await freePort();
  const env = { ...process.env, ANDROID_ADB_SERVER_PORT: String(port) };
  const run = (...words: string[]) =>
    promisify(execFile)("adb", words, { env, maxBuffer: 64 * 1024 * 1024, encoding: "utf8" });
  return {
    run,
    /** Connects to a device and answers a function that runs adb against it. */
    async connect(address: string) {
      await run("connect", address);
      return (...words: string[]) => run("-s", address, ...words);
    },
    stop: async () => void (await run("kill-server").catch(() => undefined)),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
