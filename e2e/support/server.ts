import { createClient, type Client } from "@terrarium/sdk";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Pool, QueryResultRow } from "pg";
import { databaseOf } from "./database.ts";

/** Stops the server when the test or benchmark that started it is killed. */
const endWithParent = fileURLToPath(new URL("../../dev/commands/end-with-parent.mjs", import.meta.url));
const program = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));
/** The operator tool. */
export const operator = fileURLToPath(new URL("../../apps/server/src/operator/main.ts", import.meta.url));
const READY = /Terrarium is ready at (http:\/\/localhost:\d+)/;

export const demo = {
  manager: { email: "manager@demo.test", password: "terrarium1" },
  user: { email: "user@demo.test", password: "terrarium1" },
  guest: { email: "guest@demo.test", password: "terrarium1" },
} as const;

export interface OperatorInstance {
  uuid: string;
  name: string;
  state: string;
  owner: string;
  gateway: string | null;
  /** `host:port` */
  adb: string | null;
}

export const operatorEnvironment = (dataDir: string) => ({
  ...process.env,
  TERRARIUM_DATA_DIR: dataDir,
  DATABASE_URL: "",
});

/**
 * Of a server that has not started yet. The database's account needs access, or its data would be elsewhere.
 * @param prepared that of a server that has started once and was stopped, to be copied: a start takes half of the time then
 */
export async function newDataDir(prepared?: string, root = tmpdir()): Promise<string> {
  const dataDir = await mkdtemp(join(root, "terrarium-e2e-"));
  await chmod(dataDir, 0o755);
  // With their owners: the database's account and those of devices.
  if (prepared !== undefined) await promisify(execFile)("cp", ["-a", `${prepared}/.`, dataDir]);
  return dataDir;
}

/** A real server with the default settings (everything embedded) and its own data directory. */
export class TestServer {
  readonly dataDir: string;
  readonly #environment: Record<string, string>;
  #child: ChildProcess | undefined;
  #database: Pool | undefined;
  #port = 0;
  output = "";

  private constructor(dataDir: string, environment: Record<string, string>) {
    this.dataDir = dataDir;
    this.#environment = environment;
  }

  /** @param dataDir a new one by default */
  static async start(environment: Record<string, string> = {}, dataDir?: string): Promise<TestServer> {
    const server = new TestServer(dataDir ?? (await newDataDir()), environment);
    await server.start();
    return server;
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Starts it, or restarts it with the same data and port. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["--import", endWithParent, program], {
      env: {
        ...process.env,
        PORT: String(this.#port),
        HOST: "",
        TERRARIUM_DATA_DIR: this.dataDir,
        NODE_ENV: "",
        // Nobody outside of this machine is asked.
        TERRARIUM_AVATARS: "off",
        // No device but those of the test.
        TERRARIUM_SHOWCASE: "off",
        ...this.#environment,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    const ready = Promise.withResolvers<string>();
    const onOutput = (chunk: Buffer) => {
      this.output += chunk.toString();
      const url = READY.exec(this.output)?.[1];
      if (url) ready.resolve(url);
    };
    this.output = "";
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("exit", () => ready.reject(new Error(`the server ended before it was ready:\n${this.output}`)));
    this.#port = Number(new URL(await ready.promise).port);
  }

  /** Kills the main process only, with SIGKILL. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.untilExit();
  }

  /** Stops it as a service manager does; its devices wait for the next one. Resolves with its exit code. */
  async terminate(): Promise<number | null> {
    this.#child?.kill("SIGTERM");
    await this.untilExit();
    return this.#child?.exitCode ?? null;
  }

  /** Stops it as Ctrl-C does, with its devices. */
  async interrupt(): Promise<void> {
    this.#child?.kill("SIGINT");
    await this.untilExit();
  }

  /** As above, and deletes its data. */
  async stop(): Promise<void> {
    await this.interrupt();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<{ client: Client; token: string }> {
    const { token } = await createClient({ baseUrl: this.url }).users.login({ body: { email, password } });
    return { client: createClient({ baseUrl: this.url, token: () => token, retries: 0 }), token };
  }

  /** Runs the operator tool against this server; returns what it prints. */
  async operate(...words: string[]): Promise<string> {
    return this.operateWith("", ...words);
  }

  /** Likewise, with this at its standard input. */
  async operateWith(input: string, ...words: string[]): Promise<string> {
    const running = promisify(execFile)(process.execPath, [operator, ...words], {
      env: operatorEnvironment(this.dataDir),
    });
    // One that ends before it reads says why.
    running.child.stdin?.on("error", () => undefined).end(input);
    return (await running).stdout;
  }

  /** The devices as only the operator sees them: what `operate("instances", "--json")` prints, without a process. */
  instances(): Promise<OperatorInstance[]> {
    return this.#ask<OperatorInstance>(
      `SELECT instances.uuid, instances.name, state, users.email AS owner, lease_holder AS gateway,
         machine ->> 'host' || ':' || (machine ->> 'port') AS adb
       FROM instances JOIN users ON users.uuid = owner_uuid WHERE state <> 'DELETED' ORDER BY instances.created_at`,
    );
  }

  /** How often a gateway has taken on each of these devices, in the same order: its name is the same after a restart. */
  async leases(): Promise<number[]> {
    const rows = await this.#ask<{ lease_epoch: number }>(
      "SELECT lease_epoch FROM instances WHERE state <> 'DELETED' ORDER BY created_at",
    );
    return rows.map(({ lease_epoch }) => lease_epoch);
  }

  async #ask<Row extends QueryResultRow>(sql: string): Promise<Row[]> {
    this.#database ??= await databaseOf(this.dataDir);
    return (await this.#database.query<Row>(sql)).rows;
  }

  /** Resolves when the main process has ended, for whatever reason. */
  async untilExit(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    // The next one may have its database elsewhere.
    const database = this.#database;
    this.#database = undefined;
    await database?.end();
  }
}
