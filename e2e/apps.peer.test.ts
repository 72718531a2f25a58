import { AppError } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { makeApk } from "@terrarium/simulator/testing";
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stockAdb } from "./support/adb.ts";
import { launchBrowser, livePicture, openPage, seriousFindings } from "./support/browser.ts";
import { eventually, startDevice, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const MB = 1024 ** 2;

let server: TestServer;
let browser: Browser;
let adb: Awaited<ReturnType<typeof stockAdb>>;
let client: Client;
let token: string;

beforeAll(async () => {
  [server, browser, adb] = await Promise.all([
    preparedServer({ TERRARIUM_MAX_APP_MB: "64" }),
    launchBrowser(),
    stockAdb(),
  ]);
  ({ client, token } = await server.signIn(demo.user));
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await adb?.stop();
  await server?.stop();
});

/** The shell of a device, as the stock adb has it. */
async function shellOf(uuid: string) {
  const row = (await server.instances()).find((one) => one.uuid === uuid);
  const device = await adb.connect(row?.adb ?? "");
  return async (line: string) => (await device("shell", line)).stdout;
}

async function aDevice(name: string) {
  const { uuid } = await startDevice(client, { name, search: "Phone 6.1 in, Android 15" });
  await untilState(client, uuid, "ONLINE");
  const install = (apk: Uint8Array) =>
    client.instances.installApp({ params: { uuid }, body: new Uint8Array(apk) }).catch((error: AppError) => error);
  return { uuid, install, shell: await shellOf(uuid) };
}

/** Kilobytes of a device's storage that are free. What was left behind would show there; adb may not list where it would be. */
const freeOf = async (shell: (line: string) => Promise<string>) =>
  Number((await shell("df -k /data")).trim().split("\n").at(-1)?.split(/\s+/)[3]);
const padding = randomBytes(20 * MB);
const FRONT = "dumpsys window | grep mCurrentFocus";

describe("an app that is sent to a device", () => {
  it("is there and in front, as the stock adb sees it, and so is its next version", async () => {
    const { install, shell } = await aDevice("ferns");
    const apk = { packageName: "test.drop", activity: ".Main", padding };
    expect(await install(makeApk(apk))).toEqual({ package_name: "test.drop", is_open: true });
    expect(await shell("pm path test.drop")).toMatch(/^package:.*base\.apk/);
    expect(await shell(FRONT)).toContain("test.drop/");
    await shell("input keyevent HOME");
    expect(await shell(FRONT)).not.toContain("test.drop/");
    expect(await install(makeApk({ ...apk, versionCode: 2 }))).toEqual({ package_name: "test.drop", is_open: true });
    expect(await shell("dumpsys package test.drop")).toContain("versionCode=2");
    expect(await shell(FRONT)).toContain("test.drop/");

    const service = { package_name: "test.service", is_open: false };
    expect(await install(makeApk({ packageName: "test.service" }))).toEqual(service);

    const free = await freeOf(shell);
    expect(free).toBeGreaterThan(0);
    const refusals = [
      ["INSTALL_FAILED_OLDER_SDK", makeApk({ packageName: "test.new", minSdk: 99, padding })],
      ["INSTALL_FAILED_VERSION_DOWNGRADE", makeApk({ packageName: "test.drop", padding })],
      ["INSTALL_FAILED_NO_MATCHING_ABIS", makeApk({ packageName: "test.other", abis: ["mips"], padding })],
      ["INSTALL_FAILED_INVALID_APK", makeApk({ packageName: "test.part", split: "config.de", padding })],
      ["INSTALL_PARSE_FAILED_NOT_APK", Buffer.from("PK\u0003\u0004 and nothing that is an APK")],
    ] as const;
    for (const [reason, file] of refusals)
      expect(await install(file)).toMatchObject({ code: "APP_REFUSED", details: { reason } });
    expect(await install(Buffer.from("#!/bin/sh"))).toMatchObject({ code: "NOT_AN_APP" });
    expect(await install(randomBytes(64 * MB + 1))).toMatchObject({ code: "BODY_TOO_LARGE" });
    expect(free - (await freeOf(shell))).toBeLessThan(1024);
  });

  it("that arrives slowly holds up no other device, and leaves nothing when it is called off", async () => {
    const [slow, other] = [await aDevice("slow"), await aDevice("other")];
    const apk = makeApk({ packageName: "test.slow", padding });
    const free = await freeOf(slow.shell);
    const call = request(`${server.url}/cloud/v1/instances/${slow.uuid}/apps`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/vnd.android.package-archive",
        "content-length": apk.length,
      },
    });
    call.on("error", () => undefined).write(apk.subarray(0, 10 * MB));
    await eventually("it arrives", async () => free - (await freeOf(slow.shell)) > 5 * 1024);
    expect(await slow.install(apk)).toMatchObject({ code: "INSTANCE_BUSY" });
    expect(await other.install(apk)).toMatchObject({ package_name: "test.slow" });
    call.destroy();
    await eventually("nothing is left", async () => free - (await freeOf(slow.shell)) < 1024);
    expect(await slow.shell("pm list packages test.slow")).toBe("");
    await eventually("it is free again", async () => !((await slow.install(apk)) instanceof AppError));
  });
});

/** Drags a file over the page and drops it. */
async function drop(page: Page, name: string, content: Uint8Array): Promise<void> {
  const bytes = Array.from(content);
  const data = await page.evaluateHandle(
    ([file, numbers]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(numbers)], file));
      return transfer;
    },
    [name, bytes] as const,
  );
  await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
  await page.getByText(/^Drop (an APK|files)/).waitFor();
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

describe("a newcomer", () => {
  it("follows a link, signs in, starts the recipe with one press, and drops an app on it", async () => {
    const recipe = (await client.recipes.list({ query: { search: "Phone 6.1 in, Android 15", page_size: 1 } }))
      .results[0];
    const running = async () => (await client.instances.list({ query: { state: ["ONLINE"], page_size: -1 } })).count;
    const before = await running();
    const { page, errors, close } = await openPage(browser, server.url);
    await page.goto(`/start/${recipe?.uuid}`);
    await page.getByLabel("Email").fill(demo.user.email);
    await page.getByLabel("Password", { exact: true }).fill(demo.user.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: recipe?.name }).waitFor();
    const start = page.getByRole("button", { name: "Start device" });
    await start.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/instance/*");
    await livePicture(page);
    const uuid = page.url().split("/").at(-1) ?? "";
    const shell = await shellOf(uuid);

    await drop(page, "shown.apk", makeApk({ packageName: "test.shown", activity: ".Main" }));
    await eventually("it is in front", async () => (await shell(FRONT)).includes("test.shown/"));
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await page.goBack();
    await page.getByText(/which you started here, is running/).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Open the device" }).waitFor();
    expect(await running()).toBe(before + 1);

    await page.goto("/launchpad");
    await page.getByRole("button", { name: "Install an app" }).waitFor();
    await drop(page, "notes.apk", Buffer.from("not an APK"));
    await page.getByText("This file is not an APK.").waitFor();
    await page.keyboard.press("Escape");
    await drop(page, "leaf.apk", makeApk({ packageName: "test.leaf", activity: ".Main" }));
    const dialog = page.getByRole("dialog", { name: "Install leaf.apk" });
    await dialog.getByRole("region", { name: "Or start one" }).getByRole("button").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("region", { name: "Or start one" }).getByRole("button").first().click();
    await page.waitForURL("**/instance/*");
    await livePicture(page);
    const other = page.url().split("/").at(-1) ?? "";
    expect(other).not.toBe(uuid);
    expect(await (await shellOf(other))(FRONT)).toContain("test.leaf/");
    expect(errors).toEqual([]);
    await close();

    const badge = await fetch(`${server.url}/badge.svg`);
    expect([badge.headers.get("content-type"), badge.headers.get("cross-origin-resource-policy")]).toEqual([
      "image/svg+xml",
      "cross-origin",
    ]);
    expect(badge.headers.get("set-cookie")).toBeNull();
  });
});
