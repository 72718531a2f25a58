import { describe, expect, it } from "vitest";
import { apiTokens } from "./api-tokens.ts";
import {
  email,
  firstBroken,
  isGiven,
  isInteger,
  maxLength,
  minLength,
  passwordRules,
  sayBroken,
  visible,
  within,
} from "./field-rules.ts";
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

describe("a number", () => {
  it.each<[string | number, string | undefined]>([
    ["", undefined],
    [" ", undefined],
    ["x", "Must be a number"],
    [Number.NaN, "Must be a number"],
    ["1.5", "Must be an integer"],
    [1.5, "Must be an integer"],
    ["3", undefined],
    [0, "Must be at least 1"],
    ["11", "Must be at max 10"],
  ])("%j: %j", (value, sentence) => {
    const broken = firstBroken([isInteger, within({ min: 1, max: 10 })], value);
    expect(broken && sayBroken(broken)).toBe(sentence);
  });
});

describe("a text of limited length", () => {
  it.each([
    ["", undefined],
    ["abc", undefined],
    ["abcd", "Use up to 3 characters"],
  ])("%j: %j", (value, sentence) => {
    const broken = maxLength(3)(value);
    expect(broken && sayBroken(broken)).toBe(sentence);
  });
});

describe("a minimum length", () => {
  it.each<[string | number[], string | undefined]>([
    ["ab", "Use 3 characters or more"],
    ["abc", undefined],
    [[1, 2], "Use 3 characters or more"],
    [[1, 2, 3], undefined],
  ])("of three: %j: %j", (value, sentence) => {
    const broken = minLength(3)(value);
    expect(broken && sayBroken(broken)).toBe(sentence);
  });

  it("may say it in words of its own", () => {
    const broken = minLength(1, "Add somebody")([]);
    expect(broken && sayBroken(broken)).toBe("Add somebody");
  });
});

describe("a name", () => {
  it.each([
    ["a b", true],
    ["Zoë’s 2nd phone – Größe Ⅻ", true],
    ["家族 가족 العائلة", true],
    ["👩🏽‍💻 ❤️ 1️⃣ 👨‍👩‍👧", true],
    // A joiner changes how these letters are drawn.
    ["می‌خواهم", true],
    ["क्‍ष", true],
    ["a\u0007b", false],
    ["a\u0000b", false],
    ["a\uD800b", false],
    ["a\nb", false],
    ["a\u2028b", false],
    // Zero width
    ["a\u200Bb", false],
    ["a\u200Cb", false],
    ["a\u200Db", false],
    ["e\u0301\u200Db", false],
    ["a\uFE0Fb", false],
    ["1\uFE0F", false],
    ["a\u2060b", false],
    ["a\uFEFFb", false],
    ["a\u00ADb", false],
    ["a\u{E0061}b", false],
    ["\u3164", false],
    // Direction
    ["a\u202Egpj.exe", false],
    ["a\u2066b", false],
    ["a\u200Fb", false],
    ["a\u061Cb", false],
  ])("%j can be seen: %j, in the form and in the service", (name, is) => {
    expect(visible(name)).toEqual(is ? undefined : { says: "invisible" });
    for (const taken of [
      StartInstance.safeParse({ instance_name: name }),
      apiTokens.create.body.safeParse({ description: name }),
    ])
      expect(taken.error?.issues.map(({ message }) => message)).toEqual(
        is ? undefined : ["Use characters that can be seen"],
      );
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
