import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { UserRow } from "./user-row.ts";

/** 128 bits for the name of a browser, and for each mark. */
const BYTES = 16;

/** Of several people who share a browser, the last ones are remembered. */
const MAX_PEOPLE = 5;

/** A browser's random name, and a mark for each person who signed in there. */
const TOKEN = new RegExp(`^([\\w-]{22})((?:\\.[\\w-]{22}){1,${MAX_PEOPLE}})$`);

type Owner = Pick<UserRow, "uuid" | "password_hash">;

/**
 * Recognizes browsers in which a person has signed in before, by a token that the browser stores. It opens nothing, but distinguishes an
 * honest person from strangers who guess the password. A token names nobody, and is void for a person whose password has changed since.
 */
export class KnownBrowsers {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** The name of the browser if this person has signed in there. */
  recognize(token: string | undefined, user: Owner): string | undefined {
    const { browser, marks } = parse(token);
    if (browser === undefined) return undefined;
    const mark = Buffer.from(this.#markOf(browser, user));
    return marks.some((other) => timingSafeEqual(Buffer.from(other), mark)) ? browser : undefined;
  }

  /** The token for a browser in which this person has just signed in; other people's marks in the one it sent stay. */
  remember(token: string | undefined, user: Owner): string {
    const { browser = randomBytes(BYTES).toString("base64url"), marks } = parse(token);
    const mark = this.#markOf(browser, user);
    return [browser, mark, ...marks.filter((other) => other !== mark)].slice(0, 1 + MAX_PEOPLE).join(".");
  }

  /** What a place is remembered by: a network, and what the browser or program calls itself. */
  placeMark({ uuid }: Pick<UserRow, "uuid">, network: string, device: string): Buffer {
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify(["place", uuid, network, device]))
      .digest();
  }

  #markOf(browser: string, { uuid, password_hash }: Owner): string {
    const parts = JSON.stringify([browser, uuid, password_hash]);
    return createHmac("sha256", this.#secret).update(parts).digest().subarray(0, BYTES).toString("base64url");
  }
}

function parse(token = ""): { browser?: string; marks: string[] } {
  const [, browser, marks] = TOKEN.exec(token) ?? [];
  return browser === undefined ? { marks: [] } : { browser, marks: marks?.split(".").slice(1) ?? [] };
}
