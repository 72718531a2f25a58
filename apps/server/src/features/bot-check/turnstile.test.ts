import { expect, it } from "vitest";
import { siteVerify } from "./testing/site-verify.ts";
import { turnstile } from "./turnstile.ts";

async function aCheck(answer: (fields: Record<string, string>) => unknown, timeoutMs?: number) {
  const { asked, url } = await siteVerify(answer);
  return { asked, botCheck: turnstile({ secretKey: "s3cret", url, timeoutMs }) };
}
const failing = (...codes: string[]) => ({ success: false, "error-codes": codes });

it("asks Cloudflare about a token, with the secret key and the visitor's address", async () => {
  const { asked, botCheck } = await aCheck(() => ({ success: true, hostname: "devices.example" }));
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
  const { botCheck } = await aCheck(() => answer);
  await expect(botCheck.check("t0ken", "192.0.2.1")).rejects.toMatchObject({ code });
});

it("lets nobody in while Cloudflare cannot be reached", async () => {
  const botCheck = turnstile({ secretKey: "s3cret", url: "http://127.0.0.1:1/" });
  await expect(botCheck.check("t0ken", "192.0.2.1")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

it("lets nobody in while Cloudflare does not answer, and does not wait for it for long", async () => {
  const { asked, botCheck } = await aCheck(() => undefined, 50);
  await expect(botCheck.check("t0ken", "192.0.2.1")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(asked).toHaveLength(1);
});

it("has no puzzles", async () => {
  await expect(turnstile({ secretKey: "s3cret", url: "http://127.0.0.1:1/" }).puzzle()).rejects.toMatchObject({
    code: "ROUTE_NOT_FOUND",
  });
});
