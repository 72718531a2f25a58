import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inject } from "vitest";
import { newDataDir, TestServer } from "./server.ts";

/** A real server that has started once before, which takes half of the time. */
export async function preparedServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = await newDataDir();
  // With their owners: the database's account and those of devices.
  await promisify(execFile)("cp", ["-a", `${inject("preparedData")}/.`, dataDir]);
  return TestServer.start(environment, dataDir);
}
