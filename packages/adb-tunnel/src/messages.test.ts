import { describe, expect, it } from "vitest";
import { parseConfirmation, parseHello, parseWelcome } from "./messages.ts";

describe("a first message", () => {
  it.each<[string, unknown]>([
    ["ey.J-_1.x", { token: "ey.J-_1.x" }],
    ['{"token":"t"}', { token: "t" }],
    ['{"type":"token","token":"t"}', { token: "t" }],
    ['{"adbTunnelVersion":2,"token":"t"}', { token: "t", daemonVersion: 2 }],
    ['{"token":"t","resume":"new","received":0}', { token: "t", resume: "new" }],
    ['{"token":"t","resume":"abc","received":7}', { token: "t", resume: { id: "abc", received: 7 } }],
  ])("%s is understood", (text, hello) => {
    expect(parseHello(text)).toEqual(hello);
  });

  it.each([
    "",
    "a token",
    "[]",
    "{}",
    '{"token":7}',
    '{"token":"t","resume":"abc"}',
    '{"token":"t","resume":"abc","received":-1}',
    '{"token":"t","resume":"abc","received":1.5}',
    `{"token":"t","resume":"${"a".repeat(65)}","received":0}`,
    "a".repeat(4097),
  ])("%.50s is none", (text) => {
    expect(parseHello(text)).toBeUndefined();
  });
});

it("the service's answer is understood", () => {
  expect(parseWelcome('{"connection":"SUCCESS","resume":"abc","received":7}')).toEqual({ resume: "abc", received: 7 });
  for (const text of ["", '{"connection":"FAILED","resume":"abc","received":7}', '{"connection":"SUCCESS"}'])
    expect(parseWelcome(text)).toBeUndefined();
});

it("a confirmation is a count", () => {
  expect(parseConfirmation('{"received":262144}')).toBe(262_144);
  for (const text of ['{"received":"7"}', '{"received":-7}', '{"received":null}', "7"])
    expect(parseConfirmation(text)).toBeUndefined();
});
