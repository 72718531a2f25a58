import { AppError, vatNumber, vatNumberOf } from "@terrarium/contract";
import { hasUnionTax, type TaxSettings } from "./tax.ts";
import { isInUse } from "./vies.ts";

/**
 * A VAT number as it is stored, or an empty text for none. What an organization has already is not checked again.
 * @throws AppError VAT_NUMBER_INVALID if it does not look right, or, where numbers are looked up, nobody uses it
 */
export async function readVatNumber(
  { viesUrl }: TaxSettings,
  text: string,
  { country, before }: { country: string | undefined; before: string },
): Promise<string> {
  if (text === "" || text === before) return text;
  const number = vatNumberOf(text, country);
  if (number === undefined) {
    const broken = vatNumber(country)(text);
    throw refusal(broken && "message" in broken ? broken.message : "");
  }
  const isOfUnion = country === undefined || hasUnionTax(country);
  if (viesUrl !== undefined && isOfUnion && (await isInUse(viesUrl, number)) === false)
    throw refusal("Nobody has this VAT number");
  return number;
}

const refusal = (message: string) => new AppError("VAT_NUMBER_INVALID", { fields: [{ field: "vat_number", message }] });
