import { describe, expect, it } from "vitest";
import { emailsOf, endsAnEmail, withEmails } from "./emails.ts";

describe("the addresses of a text", () => {
  it.each([
    ["", []],
    [" , ;\n", []],
    ["a@b.co", ["a@b.co"]],
    ["a@b.co, c@d.co;e@f.co", ["a@b.co", "c@d.co", "e@f.co"]],
    ["a@b.co\r\nc@d.co\te@f.co  g@h.co", ["a@b.co", "c@d.co", "e@f.co", "g@h.co"]],
    ["abc, a@b.co", ["abc", "a@b.co"]],
    ['Kim Moss <kim@demo.test>, "Lindqvist, Mara" <mara@demo.test>', ["kim@demo.test", "mara@demo.test"]],
  ])("%j are found", (text, emails) => expect(emailsOf(text)).toEqual(emails));
});

it.each([
  ["a@b.co", false],
  [" ", false],
  ["a@b.co ", true],
  ["a@b.co,", true],
  ["a@b.co;", true],
  ["a@b.co\n", true],
])("%j ends an address: %s", (text, ends) => expect(endsAnEmail(text)).toBe(ends));

describe("a list with more addresses", () => {
  it("has each of them once, where it came first", () =>
    expect(withEmails(["a@b.co"], ["c@d.co", "A@B.co", "e@f.co", "c@d.co"])).toEqual(["a@b.co", "c@d.co", "e@f.co"]));
  it("keeps what it had", () => expect(withEmails(["a@b.co"], [])).toEqual(["a@b.co"]));
});
