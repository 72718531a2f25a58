import { type Address, countries, type Organization, REVERSE_CHARGE, vatNumberOf } from "@terrarium/contract";

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

/**
 * The tax on what is sold to an address: that of its country within the European Union, which businesses of other states than the seller's
 * account for themselves, if they have a VAT number of their country; nothing elsewhere. Null for an unknown country.
 */
export function taxOf(
  { country }: Pick<Address, "country">,
  vatNumber: string,
  sellerCountry: string = DEFAULT_SELLER,
): TaxRate | null {
  if (!countries.includes(country)) return null;
  const jurisdiction = areaOf(country);
  const percentage = standardRates[jurisdiction];
  if (percentage === undefined) return { display_name: NO_TAX, jurisdiction, percentage: 0 };
  const isBusiness = vatNumber !== "" && vatNumberOf(vatNumber, country) !== undefined;
  if (isBusiness && jurisdiction !== areaOf(sellerCountry))
    return { display_name: REVERSE_CHARGE, jurisdiction, percentage: 0 };
  return { display_name: "VAT", jurisdiction, percentage };
}
