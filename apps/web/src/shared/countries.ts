import { countries } from "@terrarium/contract";

const names = new Intl.DisplayNames(["en"], { type: "region" });

/** What a country is called, by its code of ISO 3166-1 alpha-2. */
export const countryName = (code: string): string => names.of(code) ?? code;

/** Every country by its name, in the order of the names. */
export const countryChoices = countries
  .map((value) => ({ value, label: countryName(value) }))
  .toSorted((a, b) => a.label.localeCompare(b.label));
