import { describe, expect, it } from "vitest";
import { companySpeaksFor, googleSpeaksFor } from "./openid-provider.ts";

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
