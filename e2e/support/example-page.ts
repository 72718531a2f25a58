import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Browser, Page } from "playwright";
import { onTestFinished } from "vitest";
import { openPage } from "./browser.ts";

const player = createRequire(import.meta.url).resolve("@genymotion/device-web-player/dist/js/device-renderer.min.js");
const dist = join(dirname(player), "..");
const files = ["js/device-renderer.min.js", "css/device-renderer.min.css"].concat(
  ["html", "js", "css"].map((type) => `example/geny-window.${type}`),
);
/** Where browsers find it, without a server. */
const ORIGIN = "http://localhost:8000";

/** The example page that comes with the web player, as somebody opens it who has told it where a service is. It asks nobody else. */
export async function examplePage(browser: Browser, service: string): Promise<Page> {
  // Who opens it is asked whether it may connect to their own machine.
  const { page, close } = await openPage(browser, ORIGIN, { permissions: ["local-network-access"] });
  onTestFinished(close);
  await page.addInitScript((url) => {
    localStorage.setItem("baseUrlToFetch", url);
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(settings?: RTCConfiguration) {
        super({ ...settings, iceServers: [] });
      }
    };
  }, `${service}/cloud`);
  await page.route(
    ({ origin }) => origin !== service,
    (route, request) => {
      const name = basename(new URL(request.url()).pathname);
      const file = files.find((each) => basename(each) === name);
      return file ? route.fulfill({ path: join(dist, file) }) : route.abort();
    },
  );
  await page.goto("/geny-window.html");
  return page;
}
