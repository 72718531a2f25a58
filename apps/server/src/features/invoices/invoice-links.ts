import type { Clock } from "@terrarium/clock";
import { basePath, limits } from "@terrarium/contract";
import type { Sealer } from "../../platform/sealer.ts";

const MINUTE_MS = 60 * 1000;
/** Of a link that a page opens at once, and of one in a mail. */
export const linkTimes = {
  page: limits.invoiceLinkMinutes * MINUTE_MS,
  mail: limits.mailedInvoiceDays * 24 * 60 * MINUTE_MS,
};

const OWNER = "invoice";

/** Links to the PDFs of single invoices, for whoever has them. Nothing is stored: a link holds which invoice it is, and until when it works. */
export class InvoiceLinks {
  readonly #sealer: Sealer;
  readonly #clock: Clock;

  /** @param sealer of the purpose `invoice-links` */
  constructor(sealer: Sealer, clock: Clock) {
    this.#sealer = sealer;
    this.#clock = clock;
  }

  /**
   * @param origin of the service, as whoever gets the link reaches it
   * @param lastsMs one of `linkTimes`
   */
  make(origin: string, uuid: string, lastsMs: number): { url: string; expires_at: string } {
    const expires = this.#clock.now() + lastsMs;
    const plain = Buffer.alloc(24);
    plain.write(uuid.replaceAll("-", ""), "hex");
    plain.writeBigUInt64BE(BigInt(expires), 16);
    const key = this.#sealer.seal(plain, OWNER).toString("base64url");
    const { href } = new URL(`${basePath}/v1/billing/invoice-files/${key}`, origin);
    return { url: href, expires_at: new Date(expires).toISOString() };
  }

  /** The invoice that a key leads to; undefined for what is no key of this service. */
  read(key: string): { uuid: string } | "expired" | undefined {
    try {
      const plain = this.#sealer.open(Buffer.from(key, "base64url"), OWNER);
      if (Number(plain.readBigUInt64BE(16)) <= this.#clock.now()) return "expired";
      const uuid = plain.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      return { uuid };
    } catch {
      return undefined;
    }
  }
}
