import { hostname } from "node:os";
import { expect, it } from "vitest";
import { cannotBeRebound, isLoopback } from "./hosts.ts";

it.each([
  ["localhost", true, true],
  ["app.localhost", true, true],
  ["127.0.0.1", true, true],
  ["127.8.8.8", true, true],
  ["::1", true, true],
  ["[::1]", true, true],
  ["0.0.0.0", false, true],
  ["192.168.1.9", false, true],
  ["[2001:db8::1]", false, true],
  [hostname().toLowerCase(), false, true],
  ["evil.test", false, false],
  ["localhost.evil.test", false, false],
  ["127.0.0.1.evil.test", false, false],
  ["", false, false],
])("%s is loopback: %j; means this machine for sure: %j", (host, isLocal, isSure) => {
  expect([isLoopback(host), cannotBeRebound(host)]).toEqual([isLocal, isSure]);
});
