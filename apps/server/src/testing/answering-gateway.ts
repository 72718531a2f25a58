import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { upsertGateway } from "../features/instances/gateways.ts";
import { claimInstances } from "../features/instances/leases.store.ts";
import { moveInstance } from "../features/instances/move-instance.ts";
import { createTestApp } from "./app.ts";
import { anOrganization } from "./factories.ts";

export interface GatewayAnswer {
  status: number;
  body: object;
}

/** A person with a device that is online at a gateway, which answers each request as `answer` says, and stores it in `received`. */
export async function withAnsweringGateway(answer: GatewayAnswer) {
  const test = await createTestApp({ listen: true });
  const { db, clock } = test;
  const received: { url: string | undefined; authorization: string; body: string }[] = [];
  const gateway = createServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      received.push({ url: request.url, authorization: request.headers.authorization ?? "", body });
      response.writeHead(answer.status).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void gateway.close());
  await upsertGateway(db, "g", `127.0.0.1:${(gateway.address() as AddressInfo).port}`);
  const organization = await anOrganization(db);
  const robin = await test.as({ organization });
  const start = async () => {
    const { uuid } = (await robin.start()).json<{ uuid: string }>();
    await claimInstances(db, { holder: "g", reach: [{ runtime: "simulator", place: "here" }] }, 1);
    return uuid;
  };
  const device = await start();
  const move = { uuid: device, now: new Date(clock.now()) };
  await moveInstance(db, {
    ...move,
    event: "powered",
    machine: { adb: { host: "127.0.0.1", port: 1 }, canSave: true },
  });
  await moveInstance(db, { ...move, event: "answered" });
  await moveInstance(db, { ...move, event: "booted" });
  return { ...test, robin, organization, device, start, received };
}
