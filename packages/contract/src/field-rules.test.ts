import { describe, expect, it } from "vitest";
import { email, firstBroken, isGiven, passwordRules, sayBroken, visible } from "./field-rules.ts";
import { Email, Password } from "./fields.ts";
import { StartInstance } from "./recipes.ts";

describe("isGiven", () => {
  it.each([
    ["  ", false],
    ["", false],
    ["a", true],
    [0, true],
    [Number.NaN, false],
    [undefined, false],
  ])("%j: %j", (value, is) => expect(isGiven(value)).toBe(is));
});

describe("an address", () => {
  it.each([
    ["a@b.test", true],
    [" Mara.O'Neil+test@mail.Northwind.example ", true],
    ["a@", false],
    ["a@b", false],
    ["a b@c.test", false],
    ["a@b..test", false],
    ["a@-b.test", false],
    [`${"a".repeat(250)}@b.test`, false],
  ])("%j: %j, in the form and in the service", (value, is) => {
    expect(email(value)).toEqual(is ? undefined : { says: "email" });
    expect(Email.safeParse(value).success).toBe(is);
  });

  it("may be empty unless it is required", () => {
    expect(email(" ")).toBe(undefined);
  });
});

describe("a name", () => {
  it.each([
    ["a b", true],
    ["a\u0007b", false],
    ["a\nb", false],
  ])("%j can be seen: %j, in the form and in the service", (name, is) => {
    expect(visible(name)).toEqual(is ? undefined : { says: "invisible" });
    expect(StartInstance.safeParse({ instance_name: name }).success).toBe(is);
  });
});

describe("a new password", () => {
  it.each([
    ["terrarium1", undefined],
    ["pässwört٣", undefined],
    ["short1", "Use 8 characters or more"],
    ["1" + "a".repeat(128), "Use up to 128 characters"],
    ["12345678", "Use at least one letter"],
    ["abcdefgh", "Use at least one number"],
  ])("%j: %j, in the form and in the service", (value, sentence) => {
    const broken = firstBroken(passwordRules, value);
    expect(broken && sayBroken(broken)).toBe(sentence);
    expect(Password.safeParse(value).error?.issues.map(({ message }) => message)).toEqual(sentence && [sentence]);
  });
});
