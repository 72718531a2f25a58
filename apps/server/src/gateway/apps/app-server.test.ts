import { TestClock } from "@terrarium/clock";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import pino from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Grant } from "../viewers/visitor.ts";
import { AppServer } from "./app-server.ts";
import type { AppLink } from "./install-app.ts";

const DEVICE = "00000000-0000-4000-8000-000000000001";
const grant: Grant = { instanceUuid: DEVICE, user: "u", role: "owner", credential: "c" };
const APK = Buffer.from("PK\u0003\u0004 and the rest");

/** A device that takes APKs as they come; `installing` resolves when one has begun to arrive. */
function aDevice() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  let received = 0;
  const link: AppLink = {
    banner: { product: "p", model: "m", device: "d", features: new Set(["cmd"]) },
    async install({ source, signal }) {
      signal?.addEventListener("abort", () => ended.resolve(signal.reason));
      for await (const part of source) {
        received += part.length;
        begun.resolve();
      }
    },
    push: () => Promise.reject(new Error("not asked for")),
    shell: async () => ({ stdout: "", stderr: "", exitCode: 0 }),
  };
  return { link, installing: begun.promise, ended: ended.promise, received: () => received };
}

async function anAppServer(answer: Grant | "wrong" | "expired" | "ended" = grant) {
  const clock = new TestClock();
  const onUse = vi.fn<(instance: string) => void>();
  const apps = new AppServer({ clock, log: pino({ level: "silent" }), authorize: async () => answer, onUse });
  const server = createServer((incoming, response) => void apps.serve(DEVICE, incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Sends the beginning of an app of `bytes`. */
  const begin = (bytes = APK.length) => {
    const call = request({ port, method: "POST", headers: { authorization: "Bearer t", "content-length": bytes } });
    const reply = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
      call.once("error", reject).once("response", (response) => {
        json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
    });
    reply.catch(() => undefined);
    return { call, reply };
  };
  const send = () => {
    const { call, reply } = begin();
    call.end(APK);
    return reply;
  };
  return { apps, clock, onUse, begin, send };
}

describe("an app server", () => {
  it("installs, and counts that as use", async () => {
    const { apps, onUse, send } = await anAppServer();
    const { link, received } = aDevice();
    apps.add(DEVICE, link);
    expect(await send()).toEqual({ status: 200, body: { package_name: null, is_open: false } });
    expect(received()).toBe(APK.length);
    expect(onUse.mock.calls).toEqual([[DEVICE]]);
  });

  it.each([
    ["wrong", 403, "INSTANCE_NOT_ALLOWED"],
    ["expired", 403, "INSTANCE_NOT_ALLOWED"],
    ["ended", 404, "INSTANCE_ENDED"],
    [{ ...grant, instanceUuid: "another" }, 403, "INSTANCE_NOT_ALLOWED"],
    [{ ...grant, role: "participant" }, 403, "INSTANCE_NOT_ALLOWED"],
  ] as const)("refuses a token that is %j", async (answer, status, code) => {
    const { apps, send } = await anAppServer(answer);
    const { link, received } = aDevice();
    apps.add(DEVICE, link);
    expect(await send()).toEqual({ status, body: { code } });
    expect(received()).toBe(0);
  });

  it("knows only devices that are online", async () => {
    const { apps, send } = await anAppServer();
    const [first, second] = [aDevice().link, aDevice().link];
    const offline = apps.add(DEVICE, first);
    const again = apps.add(DEVICE, second);
    // The link that it had before is gone late.
    offline();
    expect((await send()).status).toBe(200);
    again();
    expect(await send()).toMatchObject({ body: { code: "INSTANCE_NOT_ONLINE" } });
  });

  it("installs one after the other", async () => {
    const { apps, begin, send } = await anAppServer();
    const { link, installing } = aDevice();
    apps.add(DEVICE, link);
    const first = begin();
    first.call.write(APK.subarray(0, 8));
    await installing;
    expect(await send()).toEqual({ status: 409, body: { code: "INSTANCE_BUSY" } });
    first.call.end(APK.subarray(8));
    expect((await first.reply).status).toBe(200);
    expect((await send()).status).toBe(200);
  });

  it("ends what was cancelled, and is free again", async () => {
    const { apps, begin, send } = await anAppServer();
    const { link, installing, ended } = aDevice();
    apps.add(DEVICE, link);
    const { call } = begin();
    call.write(APK.subarray(0, 8));
    await installing;
    call.destroy();
    expect(await ended).toMatchObject({ code: "REQUEST_TIMEOUT" });
    await vi.waitFor(async () => expect((await send()).status).toBe(200), 10_000);
  });

  it("gives up on a client that stalls for half a minute, not on one that is slow", async () => {
    const { apps, clock, begin } = await anAppServer();
    const { link, installing, received, ended } = aDevice();
    apps.add(DEVICE, link);
    const { call } = begin(100);
    call.write(APK.subarray(0, 8));
    await installing;
    await clock.advance(29_000);
    call.write(APK.subarray(8));
    await vi.waitFor(() => expect(received()).toBe(APK.length), 10_000);
    await clock.advance(29_000);
    await clock.advance(2_000);
    expect(await ended).toMatchObject({ code: "REQUEST_TIMEOUT" });
  });

  it("waits for minutes for a device that does not take what has arrived", async () => {
    const { apps, clock, begin } = await anAppServer();
    const { link, received } = aDevice();
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { install } = link;
    link.install = async (options) => {
      const slowly = async function* () {
        for await (const part of options.source) {
          begun.resolve();
          await gate.promise;
          options.signal?.throwIfAborted();
          yield part;
        }
      };
      await install({ ...options, source: slowly() });
    };
    apps.add(DEVICE, link);
    const { call, reply } = begin();
    call.write(APK.subarray(0, 8));
    await begun.promise;
    await clock.advance(9 * 60_000);
    gate.resolve();
    await vi.waitFor(() => expect(received()).toBe(8), 10_000);
    call.end(APK.subarray(8));
    expect((await reply).status).toBe(200);
    expect(received()).toBe(APK.length);
  });

  it("tells nothing of a fault but that there was one", async () => {
    const { apps, send } = await anAppServer();
    const { link } = aDevice();
    link.install = () => Promise.reject(new Error("secret"));
    apps.add(DEVICE, link);
    expect(await send()).toEqual({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  });
});
