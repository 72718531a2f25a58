import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { companySpeaksFor, configurations, googleSpeaksFor, openIdProvider } from "./openid-provider.ts";
import { startHostileProvider } from "./testing/hostile-provider.ts";

const flow = { redirectUri: "https://devices.example/back", state: "s", nonce: "n", verifier: "v".repeat(43) };
const named = { name: "company", label: "Company", isStandIn: false };

it.each([
  ["verified", "not decide", true, false, true],
  ["not verified", "not decide", false, false, false],
  ["unknown", "not decide", undefined, false, false],
  ["verified", "decide", true, true, true],
  ["not verified", "decide", false, true, false],
  ["unknown", "decide", undefined, true, true],
])("an address that is %s, of a provider that does %s", async (_, __, email_verified, decides, isTaken) => {
  const server = await startHostileProvider();
  server.lies({ claims: { email_verified } });
  const options = { ...named, issuer: server.issuer, client: server.client, speaksFor: () => decides };
  const provider = openIdProvider(configurations(new TestClock()), options);
  const profile = await provider.finish(flow, server.leadBack(await provider.begin(flow)));
  expect(profile).toMatchObject({
    email: isTaken ? "robin@example.com" : undefined,
    isAuthoritative: isTaken && decides,
  });
});

it("asks a provider over plain http on this machine alone", async () => {
  const options = { ...named, client: { id: "terrarium", secret: "secret" }, speaksFor: () => false };
  const provider = openIdProvider(configurations(new TestClock()), { ...options, issuer: "http://10.255.255.1" });
  await expect(provider.begin(flow)).rejects.toMatchObject({ code: "OAUTH_HTTP_REQUEST_FORBIDDEN" });
});

const claims = (email: string, hd?: string) => ({ iss: "i", sub: "s", email, hd });

describe("who decides who has an address", () => {
  it.each([
    ["robin@gmail.com", undefined, true],
    ["robin@example.com", "example.com", true],
    ["robin@example.com", undefined, false],
    ["robin@example.com", "evil.example", false],
    ["robin@gmail.com.evil.example", undefined, false],
    ["gmail.com@example.com", undefined, false],
  ])("Google for %s, of the Workspace %s: %s", (email, hd, expected) => {
    expect(googleSpeaksFor(claims(email, hd))).toBe(expected);
  });

  it.each([
    ["robin@example.com", true],
    ["robin@mail.example.com", false],
    ["robin@example.com.evil.example", false],
  ])("a company's provider for %s: %s", (email, expected) => {
    expect(companySpeaksFor(["Example.com"])(claims(email))).toBe(expected);
    expect(companySpeaksFor([])(claims(email))).toBe(false);
  });
});
