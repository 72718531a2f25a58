import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { turnstile } from "./turnstile.ts";

/** A small stand-in for Cloudflare's server, which answers what it is told to. */
async function siteVerify(answer: (fields: Record<string, string>) => unknown) {
  const asked: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const fields = Object.fromEntries(new URLSearchParams(body));
      asked.push(fields);
      response.end(JSON.stringify(answer(fields)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { asked, url, botCheck: turnstile({ secretKey: "s3cret", url }) };
}
const failing = (...codes: string[]) => ({ success: false, "error-codes": codes });

it("asks Cloudflare about a token, with the secret key and the visitor's address", async () => {
  const { asked, botCheck } = await siteVerify(() => ({ success: true, hostname: "devices.example" }));
  await botCheck.check("t0ken", "192.0.2.1");
  expect(asked).toEqual([{ secret: "s3cret", response: "t0ken", remoteip: "192.0.2.1" }]);
});

it.each([
  ["BOT_CHECK_FAILED", failing("invalid-input-response")],
  ["BOT_CHECK_FAILED", failing("timeout-or-duplicate")],
  ["BOT_CHECK_FAILED", { success: false }],
  // Nobody is let in because of a mistake of ours.
  ["SERVICE_UNAVAILABLE", failing("invalid-input-secret")],
  ["SERVICE_UNAVAILABLE", failing("internal-error")],
  ["SERVICE_UNAVAILABLE", "down"],
])("says %s when Cloudflare answers %j", async (code, answer) => {
  const { botCheck } = await siteVerify(() => answer);
  await expect(botCheck.check("t0ken", "192.0.2.1")).rejects.toMatchObject({ code });
});

it("lets nobody in while Cloudflare cannot be reached", async () => {
  const botCheck = turnstile({ secretKey: "s3cret", url: "http://127.0.0.1:1/" });
  await expect(botCheck.check("t0ken", "192.0.2.1")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

it("has no puzzles", async () => {
  await expect(turnstile({ secretKey: "s3cret" }).puzzle()).rejects.toMatchObject({ code: "ROUTE_NOT_FOUND" });
});
