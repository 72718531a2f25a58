import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "pg";
import type { ProcessUser } from "./processes.ts";

/** What a server process prints when it has started, or failed to. */
interface OwnerReport {
  url?: string;
  adopted?: boolean;
  error?: string;
}

export interface Owner {
  pid: number;
  report: OwnerReport;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a separate server process on the directory. */
export async function startOwner(dataDir: string, user?: ProcessUser): Promise<Owner> {
  const script = `${import.meta.dirname}/owner.fixture.ts`;
  const child = spawn(process.execPath, [script, dataDir], { ...user, cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    pid: child.pid ?? 0,
    report: JSON.parse(line) as OwnerReport,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** Runs one statement on a new connection. */
export async function query(url: string | undefined, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
