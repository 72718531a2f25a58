import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

const run = promisify(execFile);

interface AdbResult {
  stdout: string;
  stderr: string;
  code: number;
}

/** The stock `adb` of the machine with a server of its own, so that it meets neither another test's devices nor the user's. */
export interface StockAdb {
  /** What a child process needs to find the same server. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs `adb words...` against one device, feeding it `input`. Never rejects for an exit code. */
  run(words: readonly string[], input?: Uint8Array): Promise<AdbResult>;
  stop(): Promise<void>;
}

/** A port that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** True when the machine has an `adb`. */
export async function hasStockAdb(): Promise<boolean> {
  return await run("adb", ["version"]).then(
    () => true,
    () => false,
  );
}

/** With a `home` of its own it has a key of its own, in `.android/adbkey`, and else the user's. */
export async function startStockAdb({ home }: { home?: string } = {}): Promise<StockAdb> {
  // A scan of the local emulator ports would show devices that are not the test's.
  const env = {
    ...process.env,
    ...(home === undefined ? {} : { HOME: home }),
    ANDROID_ADB_SERVER_PORT: String(await freePort()),
    ADB_LOCAL_TRANSPORT_MAX_PORT: "5554",
  };
  const adb = (words: readonly string[], input?: Uint8Array) =>
    new Promise<AdbResult>((resolve) => {
      const child = execFile(
        "adb",
        [...words],
        { env, encoding: "latin1", maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) =>
          resolve({ stdout, stderr, code: typeof error?.code === "number" ? error.code : error ? -1 : 0 }),
      );
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
  await adb(["start-server"]);
  return { env, run: adb, stop: async () => void (await adb(["kill-server"])) };
}
