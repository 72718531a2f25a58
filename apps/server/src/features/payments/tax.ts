import { type Address, countries, EXEMPT, type Organization, REVERSE_CHARGE, vatNumberOf } from "@terrarium/contract";

type TaxRate = NonNullable<Organization["tax_rate"]>;

/**
 * The standard rates of value added tax in the European Union on 1 January 2026, in percent: European Commission, "Taxes in Europe"
 * database, https://ec.europa.eu/taxation_customs/tedb/. The latest changes: Slovakia 1 January, Estonia 1 July, Romania 1 August 2025.
 */
const standardRates: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 21,
  BG: 20,
  CY: 19,
  CZ: 21,
  DE: 19,
  DK: 25,
  EE: 24,
  ES: 21,
  FI: 25.5,
  FR: 20,
  GR: 24,
  HR: 25,
  HU: 27,
  IE: 23,
  IT: 22,
  LT: 21,
  LU: 17,
  LV: 21,
  MT: 18,
  NL: 21,
  PL: 23,
  PT: 23,
  RO: 21,
  SE: 25,
  SI: 22,
  SK: 23,
};

/** Monaco belongs to the French area. */
const areaOf = (country: string): string => (country === "MC" ? "FR" : country);

export const NO_TAX = "No tax";

export interface TaxSettings {
  /** The country of whoever sends the invoices. */
  sellerCountry: string;
  /** Where VAT numbers are looked up; nowhere by default. */
  viesUrl?: string | undefined;
}

const DEFAULT_SELLER = "FR";

/** Whether a country is a state of the European Union, or in the area of one. */
export const hasUnionTax = (country: string): boolean => areaOf(country) in standardRates;

/** What decides the tax of an organization. */
interface Taxed {
  address: Pick<Address, "country"> | null;
  vat_number: string;
  /** What the operator has agreed on; null where the country decides. */
  tax_percentage: number | null;
}

/** The tax on what is sold to an organization, as agreed or as of its country; null while it has no address. */
export function taxOf(
  { address, vat_number, tax_percentage: percentage }: Taxed,
  sellerCountry: string = DEFAULT_SELLER,
): TaxRate | null {
  if (!address) return null;
  if (percentage === null) return taxIn(address.country, vat_number, sellerCountry);
  const jurisdiction = areaOf(address.country);
  const display_name = percentage === 0 ? EXEMPT : hasUnionTax(jurisdiction) ? "VAT" : "Tax";
  return { display_name, jurisdiction, percentage };
}

/**
 * The tax on what is sold to a country: its own within the European Union, which businesses of other states than the seller's account for
 * themselves, if they have a VAT number of their country; nothing elsewhere. Null for an unknown country.
 */
function taxIn(country: string, vatNumber: string, sellerCountry: string): TaxRate | null {
  if (!countries.includes(country)) return null;
  const jurisdiction = areaOf(country);
  const percentage = standardRates[jurisdiction];
  if (percentage === undefined) return { display_name: NO_TAX, jurisdiction, percentage: 0 };
  const isBusiness = vatNumber !== "" && vatNumberOf(vatNumber, country) !== undefined;
  if (isBusiness && jurisdiction !== areaOf(sellerCountry))
    return { display_name: REVERSE_CHARGE, jurisdiction, percentage: 0 };
  return { display_name: "VAT", jurisdiction, percentage };
}
