import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { tmpdir } from "node:os";

/** The stock `adb`, with a server of its own that knows no other test's devices. */
export class StockAdb {
  #env: NodeJS.ProcessEnv = {};
  serial = "";

  async start(): Promise<void> {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const address = server.address();
        server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
      });
    });
    this.#env = {
      PATH: "/usr/bin:/bin",
      HOME: tmpdir(),
      ANDROID_ADB_SERVER_PORT: String(port),
      ADB_LOCAL_TRANSPORT_MAX_PORT: "5554",
    };
    await this.any("start-server");
  }

  any(...words: string[]): Promise<{ code: number; stdout: Buffer; stderr: string }> {
    return new Promise((resolve) => {
      execFile("adb", words, { env: this.#env, encoding: "buffer", maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === "number" ? error.code : error ? -1 : 0,
          stdout,
          stderr: stderr.toString(),
        }),
      );
    });
  }

  /** Starts a command that runs on; resolves when it has printed something. */
  async spawned(...words: string[]): Promise<{ code: Promise<number | null> }> {
    const child = spawn("adb", ["-s", this.serial, ...words], { env: this.#env, stdio: ["ignore", "pipe", "ignore"] });
    const code = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return { code };
  }

  run = (...words: string[]) => this.any("-s", this.serial, ...words);
  text = async (...words: string[]) => (await this.run(...words)).stdout.toString();
}
