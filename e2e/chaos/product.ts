import { createClient, type Client } from "@terrarium/sdk";
import { demo, newDataDir, TestServer } from "../support/server.ts";
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/instances.ts";
import { processesOf } from "../support/processes.ts";

/** Far more than the clients run at once: devices count until they have stopped, which waits while nobody supervises them. */
const MAX_INSTANCES = 200;
const RESTART_MS = 300;
const UP_MS = 60_000;
/** Enough for the database, its log of changes and the devices. */
const DISK = "size=1g";

/** The product as users run it, in a temporary data directory, started again whenever its server ends. */
export class Product {
  readonly dataDir: string;
  readonly #root: string;
  /** Whether the data directory is a file system of its own. */
  readonly isSmallDisk: boolean;
  readonly #server: TestServer;
  #isOver = false;
  #keeping: Promise<void> = Promise.resolve();
  client: Client = createClient();

  private constructor(root: string, isSmallDisk: boolean, server: TestServer) {
    this.dataDir = server.dataDir;
    this.#root = root;
    this.isSmallDisk = isSmallDisk;
    this.#server = server;
  }

  /** @param prepared see `newDataDir` */
  static async start(prepared?: string, environment: Record<string, string> = {}): Promise<Product> {
    const root = await mkdtemp(join(tmpdir(), "terrarium-chaos-"));
    const isSmallDisk = mountSmallDisk(root);
    // The account of the embedded database has to enter it.
    await chmod(root, 0o755);
    const dataDir = await newDataDir(prepared, root);
    const server = await TestServer.start({ LOG_LEVEL: "fatal", ...environment }, dataDir);
    const product = new Product(root, isSmallDisk, server);
    await product.#server.operate("organizations", "limit", "Northwind Mobile", String(MAX_INSTANCES));
    product.client = (await product.#server.signIn(demo.manager)).client;
    product.#keeping = product.#keep();
    return product;
  }

  /** Stops it as Ctrl-C does; what is left then is killed, and named. */
  async stop(): Promise<string[]> {
    // One that was just killed has left its database and devices, which the next one ends.
    await eventually("the server is up", () => this.client.settings.get(), UP_MS).catch(() => undefined);
    this.#isOver = true;
    await this.#server.stop();
    await this.#keeping;
    const left = await processesOf(this.dataDir);
    for (const { pid } of left) process.kill(pid, "SIGKILL");
    if (this.isSmallDisk) execFileSync("umount", ["--lazy", this.#root]);
    await rm(this.#root, { recursive: true, force: true });
    return left.map(({ role, pid }) => `${role} ${pid}`);
  }

  async #keep(): Promise<void> {
    for (;;) {
      await this.#server.untilExit();
      await sleep(RESTART_MS);
      if (this.#isOver) return;
      // On a full disk, or while its database is stopped, it cannot start.
      await this.#server.start().catch(() => undefined);
    }
  }
}

/** Mounts a file system that can be filled without harm to others; false where we may not. */
function mountSmallDisk(directory: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", DISK, "terrarium-chaos", directory], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
