import { somePhones } from "@terrarium/runtime-adb-pool/testing";
import { launchBrowser, livePicture, openPage, signIn, steadyPicture } from "../support/browser.ts";
import { startDevice, untilState } from "../support/instances.ts";
import { signInAsOperator } from "../support/operator.ts";
import { demo, TestServer } from "../support/server.ts";
import { takePicture } from "./take-picture.ts";

/** Takes the pictures of docs/RUNTIMES.md: a phone is found, and is in the browser. A simulated device stands in for it. */
const desk = await somePhones(1);
const { host, port } = desk.phones[0]!.address;
const server = await TestServer.start({
  TERRARIUM_RUNTIMES: "adb-pool",
  TERRARIUM_ADB_POOL_SERVER: "off",
  TERRARIUM_ADB_POOL_ENDPOINTS: `${host}:${port}`,
});
const browser = await launchBrowser();
try {
  const { page } = await openPage(browser, server.url, { viewport: { width: 1280, height: 800 } });
  await signInAsOperator(page, server);
  await page.goto("/operator/gateways");
  const press = page.getByRole("button", { name: "Add Terra Fern 61 to the catalogue" });
  await press.scrollIntoViewIfNeeded();
  await takePicture(page, "phone-found");
  await press.click();
  await page.getByText("in the catalogue").first().waitFor();

  const viewer = await openPage(browser, server.url, { viewport: { width: 1280, height: 800 } });
  const { client } = await server.signIn(demo.user);
  const { uuid } = await startDevice(client, { name: "a phone on a desk", search: "Fern 61" });
  await untilState(client, uuid, "ONLINE");
  await signIn(viewer.page, demo.user);
  await viewer.page.goto(`/instance/${uuid}`);
  await livePicture(viewer.page);
  await steadyPicture(viewer.page);
  await takePicture(viewer.page, "phone-in-the-browser");
} finally {
  await browser.close();
  await server.stop();
  await desk.stop();
}
