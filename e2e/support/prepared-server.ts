import { inject } from "vitest";
import { newDataDir, TestServer } from "./server.ts";

/** A real server that has started once before, which takes half of the time. */
export const preparedServer = async (environment: Record<string, string> = {}): Promise<TestServer> =>
  TestServer.start(environment, await newDataDir(inject("preparedData")));
