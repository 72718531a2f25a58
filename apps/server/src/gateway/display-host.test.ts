import { nodeSocketDuplex, serveAdb } from "@terrarium/adb";
import { ToyDevice } from "@terrarium/adb/testing";
import { systemClock } from "@terrarium/clock";
import type { Machine } from "@terrarium/runtime";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { appsPathOf, playerPathOf } from "../features/instances/visit-path.ts";
import { createDisplayHost } from "./display-host.ts";
import type { Authorize, Grant } from "./viewers/visitor.ts";

const DEVICE = "0c0ffee0-0000-4000-8000-000000000001";

async function aHost(authorize: Authorize = async () => "wrong") {
  const server = createServer();
  const host = createDisplayHost({
    clock: systemClock,
    log: pino({ level: "silent" }),
    authorize,
    ice: {},
    onUse: () => undefined,
  });
  host.serve(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await host.stop();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { host, port };
}

/** A client of a device's gateway that has not shown a token. */
async function connected() {
  const { port } = await aHost();
  const client = new WebSocket(`ws://127.0.0.1:${port}${playerPathOf(DEVICE)}`);
  onTestFinished(() => client.terminate());
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

it("takes apps for a device once its package manager answers", async () => {
  const toy = new ToyDevice();
  const asked = Promise.withResolvers<void>();
  let said = "1\nstopped\n";
  toy.shell = async ({ stdout }) => {
    await stdout.write(said);
    asked.resolve();
    return 0;
  };
  const adbd = createTcpServer(
    (socket) => void serveAdb(nodeSocketDuplex(socket), { services: toy, banner: toy.banner }),
  );
  adbd.listen(0, "127.0.0.1");
  await once(adbd, "listening");
  onTestFinished(() => void adbd.close());
  const grant: Grant = { instanceUuid: DEVICE, user: "u", role: "owner", credential: "c" };
  const { host, port } = await aHost(async () => grant);
  const adb = { host: "127.0.0.1", port: (adbd.address() as AddressInfo).port };
  const link = await host.connect(DEVICE, { adb } as Machine, new AbortController().signal);
  onTestFinished(() => link.close());
  const send = async () => {
    const app = { method: "POST", headers: { authorization: "Bearer t" }, body: "no APK" };
    return await (await fetch(`http://127.0.0.1:${port}${appsPathOf(DEVICE)}`, app)).json();
  };
  const booted = link.booted(new AbortController().signal);
  await asked.promise;
  expect(await send()).toEqual({ code: "INSTANCE_NOT_ONLINE" });
  said += "package:/system/framework/framework-res.apk\nmCurrentFocus=Window{1 u0 home}\n";
  await booted;
  expect(await send()).toEqual({ code: "NOT_AN_APP" });
});
