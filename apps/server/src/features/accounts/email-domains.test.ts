import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isDisposable, isWebmail } from "./email-domains.ts";

describe("isDisposable", () => {
  it.each(["x@mailinator.com", "x@yopmail.com", "x@some.mailinator.com", "x@guerrillamail.com"])(
    "knows %s",
    async (email) => expect(await isDisposable(email)).toBe(true),
  );
  it.each([
    "x@northwind.example",
    "x@gmail.com",
    "mailinator.com@northwind.example",
    "x@mailinator.com.northwind.example",
    "x@com",
  ])("lets %s pass", async (email) => expect(await isDisposable(email)).toBe(false));
});

describe("isWebmail", () => {
  it.each(["x@gmail.com", "x@outlook.com", "x@proton.me"])("knows %s", async (email) =>
    expect(await isWebmail(email)).toBe(true),
  );
  it.each(["x@northwind.example", "gmail.com@northwind.example", "x@mail.gmail.com"])("lets %s pass", async (email) =>
    expect(await isWebmail(email)).toBe(false),
  );
});

it.each(["disposable-domains.txt", "webmail-domains.txt"])(
  "%s says where it is from and when, and lists domains",
  async (file) => {
    const lines = (await readFile(join(import.meta.dirname, file), "utf8")).trimEnd().split("\n");
    const [notes, domains] = [lines.filter((line) => line.startsWith("#")), lines.filter((line) => line[0] !== "#")];
    expect(notes.join(" ")).toMatch(/20\d\d-\d\d-\d\d/);
    expect(domains.filter((domain) => !/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain))).toEqual([]);
    expect(domains).toHaveLength(new Set(domains).size);
  },
);
