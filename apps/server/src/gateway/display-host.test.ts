import { systemClock } from "@terrarium/clock";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { playerPathOf } from "../features/instances/visit-path.ts";
import { createDisplayHost } from "./display-host.ts";

/** A client of a device's gateway that has not shown a token. */
async function connected() {
  const server = createServer();
  const host = createDisplayHost({
    clock: systemClock,
    log: pino({ level: "silent" }),
    authorize: async () => "wrong",
    ice: {},
    onUse: () => undefined,
  });
  host.serve(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}${playerPathOf("0c0ffee0-0000-4000-8000-000000000001")}`);
  onTestFinished(async () => {
    client.terminate();
    await host.stop();
    server.close();
  });
  await once(client, "open");
  return client;
}

const closed = async (client: WebSocket): Promise<unknown> => ((await once(client, "close")) as unknown[])[0];

it("a viewer's message comes in few parts, which are short together", async () => {
  const many = await connected();
  for (let part = 0; part < 17; part++) many.send("x", { fin: false });
  expect(await closed(many)).toBe(1008);
  const long = await connected();
  long.send("x".repeat(64 * 1024 + 1));
  expect(await closed(long)).toBe(1009);
  // It is read when it is neither.
  const token = await connected();
  token.send(JSON.stringify({ type: "token", token: "t" }));
  expect(await closed(token)).toBe(4242);
});
