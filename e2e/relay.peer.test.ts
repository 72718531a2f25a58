import type { Browser } from "playwright";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  blockWebRtc,
  launchBrowser,
  livePicture,
  openPage,
  pictureOf,
  signIn,
  steadyPicture,
  tap,
} from "./support/browser.ts";
import { freePort } from "./support/free-port.ts";
import { eventually, startDevice } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

/** Debian's coturn; it is absent where the tests may not install servers. */
const coturn = "/usr/bin/turnserver";
const SECRET = "north";

let port: number;

/** A relay of loopback with this secret. */
async function startRelay(secret: string): Promise<ChildProcess> {
  const plain = ["-n", "--no-cli", "--no-tls", "--no-dtls", "--log-file=stdout", "--pidfile="];
  const loopback = [
    "--listening-ip=127.0.0.1",
    "--relay-ip=127.0.0.1",
    "--allow-loopback-peers",
    `--listening-port=${port}`,
  ];
  const words = [...plain, ...loopback, "--realm=relay.test", "--use-auth-secret", `--static-auth-secret=${secret}`];
  const relay = spawn(coturn, words, { stdio: "ignore" });
  await eventually("the relay listens", async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect").finally(() => socket.destroy());
    return true;
  });
  return relay;
}

async function stopRelay(relay: ChildProcess): Promise<void> {
  relay.kill("SIGKILL");
  if (relay.exitCode === null && relay.signalCode === null) await once(relay, "exit");
}

describe.skipIf(!existsSync(coturn))("a relay for browsers that reach the gateway by none of its addresses", () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    port = await freePort();
    const environment = { TERRARIUM_TURN_URLS: `turn:127.0.0.1:${port}`, TERRARIUM_TURN_SECRET: SECRET };
    [server, browser] = await Promise.all([preparedServer(environment), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it.each([
    ["has the device by a relay that has the same secret", SECRET, "Relayed"],
    ["has it by its socket where the relay refuses the credentials", "south", "Over WebSocket"],
  ])("a browser %s", async (_, secret, path) => {
    const relay = await startRelay(secret);
    const { client } = await server.signIn(demo.user);
    const device = await startDevice(client, { name: "fern" });
    const { page, errors, close } = await openPage(browser, server.url);
    try {
      await blockWebRtc(page);
      await signIn(page, demo.user);
      await page.goto(`/instance/${device.uuid}`);
      await livePicture(page);
      await page.getByText(path).first().waitFor();
      const before = await steadyPicture(page);
      await tap(page, 0.15, 0.845);
      await expect.poll(() => pictureOf(page), { timeout: 15_000 }).not.toBe(before);
      expect(errors).toEqual([]);
    } finally {
      await close();
      await stopRelay(relay);
    }
  });
});
