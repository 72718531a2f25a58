import { firstBroken, passwordRules } from "@terrarium/contract";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { refuseCommonPassword } from "./common-passwords.ts";

it.each(["password1", "PassW0rd", "1q2w3e4r", "ｐａｓｓｗｏｒｄ１"])("refuses %s", async (password) => {
  await expect(refuseCommonPassword(password)).rejects.toMatchObject({ code: "PASSWORD_TOO_COMMON", status: 400 });
});

it.each(["correct horse 1", "password1 password1", "# THE SOFTWARE IS PROVIDED"])("allows %j", async (password) => {
  await expect(refuseCommonPassword(password)).resolves.toBeUndefined();
});

it("lists only what the rules let through", async () => {
  const text = await readFile(join(import.meta.dirname, "common-passwords.txt"), "utf8");
  const list = text.trimEnd().split("\n").slice(24);
  expect(list.length).toBe(5183);
  expect(
    list.filter((password) => firstBroken(passwordRules, password) || password !== password.toLowerCase()),
  ).toEqual([]);
});
