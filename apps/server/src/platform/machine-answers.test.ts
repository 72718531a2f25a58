import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { expect, it } from "vitest";
import { machineAnswers } from "./machine-answers.ts";

/** A port at which a program listens, and one at which none does. */
async function ports() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

it("is one that takes the connection, and one that refuses it", async () => {
  const { port, close } = await ports();
  expect(await machineAnswers(`127.0.0.1:${port}`)).toBe(true);
  await close();
  expect(await machineAnswers(`127.0.0.1:${port}`)).toBe(true);
});

it("is none whose name nobody knows", async () => {
  expect(await machineAnswers(`${"a".repeat(64)}:80`)).toBe(false);
});
