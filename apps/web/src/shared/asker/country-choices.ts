import { countries } from "@terrarium/contract";

const names = new Intl.DisplayNames(["en"], { type: "region" });

/** Every country by its name, in the order of the names. */
export const countryChoices = countries
  .map((value) => ({ value, label: names.of(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label));
