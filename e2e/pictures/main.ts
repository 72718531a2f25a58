// The pictures of the documentation: docs/images.
import { launchBrowser, livePicture, openPage, signIn } from "../support/browser.ts";
import { startDevice, untilState } from "../support/instances.ts";
import { demo, TestServer } from "../support/server.ts";
import { takePicture } from "./take-picture.ts";

/** By their names, the recipes that they are started from. */
const devices = {
  "wear-notifications": "Watch 1.4 in, Android 14",
  "tv-remote-nav": "TV 1080p, Android 12",
  "car-hvac-panel": "Car 12.3 in, Android 13",
  "tablet-layout-check": "Tablet 11 in, Android 15",
  "fold-resume-state": "Fold 7.6 in, Android 16",
  "payments-smoke-01": "Phone 6.1 in, Android 16",
};

const server = await TestServer.start();
const browser = await launchBrowser();
try {
  const { client } = await server.signIn(demo.manager);
  let uuid = "";
  for (const [name, search] of Object.entries(devices)) {
    ({ uuid } = await startDevice(client, { name, search, timeouts: { inactivity: 0, global: 30 } }));
    await untilState(client, uuid, "ONLINE");
  }
  const { page } = await openPage(browser, server.url, { viewport: { width: 1440, height: 760 } });
  await signIn(page, demo.manager);
  await page.getByRole("row", { name: /payments-smoke-01/ }).waitFor();
  await page.getByRole("button", { name: "Got it" }).click();
  await page.mouse.move(0, 0);
  await takePicture(page, "launchpad");
  await page.setViewportSize({ width: 1280, height: 760 });
  await page.goto(`/instance/${uuid}`);
  await livePicture(page);
  await page.waitForTimeout(3_000);
  await takePicture(page, "device");
} finally {
  await browser.close();
  await server.stop();
}
