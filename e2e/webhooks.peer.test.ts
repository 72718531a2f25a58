import type { Webhook } from "@terrarium/contract";
import type { Browser } from "playwright";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aReceiver, type Got } from "../apps/server/src/features/webhooks/testing/a-receiver.ts";
import { findingsInBothModes, launchBrowser, openPage, signIn } from "./support/browser.ts";
import { eventually, startDevice, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([preparedServer({ TERRARIUM_PRIVATE_WEBHOOKS: "on" }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

it("a manager adds a webhook, which is told of a device, by a server that is killed as well", async () => {
  let isDown = false;
  const receiver = await aReceiver((response) => response.writeHead(isDown ? 500 : 204).end());
  const { page, errors } = await openPage(browser, server.url);
  await signIn(page, demo.manager);
  await page.goto("/administration/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add a webhook" });
  await form.getByLabel("Address").fill(receiver.url);
  await form.getByLabel("Description").fill("CI");
  for (const event of ["Asked for", "Online", "Stopped"]) await form.getByLabel(event).check();
  expect(await findingsInBothModes(page)).toEqual([]);
  await form.getByRole("button", { name: "Add webhook" }).click();
  const secret = await page.getByLabel("Secret of CI").inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("row", { name: /CI.*Healthy/ }).waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);

  /** What a message says, once one of a type has arrived. */
  const told = (type: string, count = 1) =>
    eventually(type, async () => {
      const messages = receiver.got.filter(({ body }) => body.includes(`"${type}"`));
      return messages.length >= count && messages;
    });
  const verify = ({ body, headers }: Got) =>
    new Verifier(secret).verify(body, headers as Record<string, string>) as { data: { uuid: string; state: string } };
  const { client } = await server.signIn(demo.manager);
  const { uuid } = await startDevice(client);
  await untilState(client, uuid, "ONLINE");
  const [created, started] = [(await told("instance.created"))[0], (await told("instance.started"))[0]];
  expect([created && verify(created).data, started && verify(started).data]).toMatchObject([
    { uuid, state: "CREATING" },
    { uuid, state: "ONLINE" },
  ]);

  isDown = true;
  await client.instances.stop({ params: { uuid } });
  await told("instance.stopped");
  await server.kill();
  isDown = false;
  await server.start();
  const [first, second] = (await told("instance.stopped", 2)) as [Got, Got];
  expect([second.headers["webhook-id"], second.body]).toEqual([first.headers["webhook-id"], first.body]);
  expect(verify(second).data).toMatchObject({ uuid, state: "DELETED" });

  const again = await server.signIn(demo.manager);
  const [webhook] = (await again.client.webhooks.list()).webhooks as [Webhook];
  await page.goto(`/administration/webhooks/${webhook.uuid}?state=delivered`);
  await page.getByRole("row", { name: /instance\.stopped.*Delivered.*204/ }).waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
  await page.getByRole("button", { name: "Show instance.stopped" }).click();
  await page.getByRole("dialog", { name: "instance.stopped" }).getByText('"state": "DELETED"').waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
  await page.getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("button", { name: "Send test event" }).click();
  const [test] = await told("webhook.test");
  expect(test && verify(test).data).toEqual({ webhook_uuid: webhook.uuid });

  // It gets another secret, and is changed, disabled and deleted
  await page.getByRole("button", { name: "New secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
  expect(await page.getByLabel("Secret of CI").inputValue()).not.toBe(secret);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText(/Both secrets sign until/).waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText(/A manager disabled it/).waitFor();
  await page.goto("/administration/webhooks");
  await page.getByRole("button", { name: "Edit CI" }).click();
  await page.getByLabel("Description").fill("Nightly");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Delete Nightly" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByText("Nothing is told what happens here").waitFor();
  expect(errors.filter((error) => !/Failed to load|WebSocket|ERR_CONNECTION/.test(error))).toEqual([]);
});
