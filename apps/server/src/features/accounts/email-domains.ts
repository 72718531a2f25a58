import { AppError } from "@terrarium/contract";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { domainOf } from "../../platform/mail/domain-of.ts";

/** Loads a list when it is first needed. */
function domainList(file: string): () => Promise<ReadonlySet<string>> {
  let domains: Promise<ReadonlySet<string>> | undefined;
  const path = join(import.meta.dirname, file);
  return () =>
    (domains ??= readFile(path, "utf8").then(
      (text) => new Set(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))),
    ));
}

/** Services that lend mailboxes for minutes. */
const disposable = domainList("disposable-domains.txt");
/** Services where anyone gets a mailbox for free, so that an address does not show which company somebody works for. */
const webmail = domainList("webmail-domains.txt");

/** Whether an address is at a service that lends mailboxes for minutes, or at a subdomain of one. */
export async function isDisposable(email: string): Promise<boolean> {
  const known = await disposable();
  const labels = domainOf(email).split(".");
  return labels.some((_, index) => known.has(labels.slice(index).join(".")));
}

/** Whether an address is at a service that gives mailboxes to anyone. */
export const isWebmail = async (email: string): Promise<boolean> => (await webmail()).has(domainOf(email));

/** @throws AppError DISPOSABLE_EMAIL */
export async function refuseDisposable(email: string): Promise<void> {
  if (await isDisposable(email)) throw new AppError("DISPOSABLE_EMAIL");
}
