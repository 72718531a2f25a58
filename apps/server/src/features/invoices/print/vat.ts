import { EXEMPT, REVERSE_CHARGE } from "@terrarium/contract";
import { hasUnionTax, NO_TAX } from "../../payments/tax.ts";
import type { Printed } from "./printed.ts";

/**
 * How an invoice stands with VAT: `taxed`; `reverseCharge`, where the customer, a business of another member state, accounts for it;
 * `outside`, as services are supplied where the customer is; `exempt`, as the operator has agreed; `none` where the seller is not in the European Union or nothing is known.
 */
export type Vat = "taxed" | "reverseCharge" | "outside" | "exempt" | "none";

export function vatOf({ seller, taxRate }: Pick<Printed, "seller" | "taxRate">): Vat {
  if (taxRate && taxRate.percentage > 0) return "taxed";
  if (!hasUnionTax(seller.country)) return "none";
  if (taxRate?.display_name === REVERSE_CHARGE) return "reverseCharge";
  if (taxRate?.display_name === EXEMPT) return "exempt";
  return taxRate?.display_name === NO_TAX ? "outside" : "none";
}

/** What an invoice has to say of it. */
export const vatNotes: Record<Vat, string | null> = {
  taxed: null,
  reverseCharge: "Reverse charge: VAT is to be accounted for by the customer (Article 196 of Directive 2006/112/EC).",
  outside:
    "Not subject to EU VAT: the service is supplied outside of the European Union (Articles 44 and 59 of Directive 2006/112/EC).",
  exempt: "Exempt from VAT.",
  none: null,
};
