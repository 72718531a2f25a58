import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { TestServer } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The data directory of a server that has started once and was stopped. */
    preparedData: string;
  }
}

/** Global setup of the `peer` tests: what each test's server would do at its first start is done once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await TestServer.start();
  await server.interrupt();
  project.provide("preparedData", server.dataDir);
  return () => rm(server.dataDir, { recursive: true, force: true });
}
