import { AppError } from "@terrarium/contract";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "common-passwords.txt");

/** 5,000 passwords that satisfy the rules all the same. They are not among the rules that forms share: browsers should not load them. */
let common: Promise<ReadonlySet<string>> | undefined;

/** @throws AppError PASSWORD_TOO_COMMON for a password that guessers try first, in whichever case it is written */
export async function refuseCommonPassword(password: string): Promise<void> {
  common ??= readFile(FILE, "utf8").then((text) => new Set(text.split("\n").filter((line) => !line.startsWith("#"))));
  if ((await common).has(password.normalize("NFKC").toLowerCase())) throw new AppError("PASSWORD_TOO_COMMON");
}
