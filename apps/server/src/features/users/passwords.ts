import { hash, verify } from "@node-rs/argon2";
import { Gate } from "../../platform/gate.ts";

/** Hashing takes a core for tens of milliseconds on the thread pool: two at once leave the rest of the service room. */
const gate = new Gate({ maxRunning: 2, maxWaiting: 100 });

/** argon2id with the parameters of OWASP's first choice: 19 MiB, 2 passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> =>
  gate.run(() => hash(password.normalize("NFKC"), cost));

/** What an unknown account is compared with, so that it takes as long as a known one. */
let nobody: Promise<string> | undefined;

/** True when the password is the hash's. Without a hash it takes as long and is false. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  nobody ??= hashPassword("an account that does not exist");
  const against = stored ?? (await nobody);
  const same = await gate.run(() => verify(against, password.normalize("NFKC")));
  return same && stored !== null && stored !== undefined;
}
