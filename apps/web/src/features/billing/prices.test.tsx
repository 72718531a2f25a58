import { describe, expect, it } from "vitest";
import { manager, someSettings } from "../../testing/factories.ts";
import { premiumBody, premiumForm } from "./premium-form.ts";
import { monthOfYear, upfrontTotal } from "./prices.ts";

const { offer } = someSettings();
const vat = (percentage: number) => ({ display_name: "VAT", jurisdiction: "FR", percentage });

describe("upfrontTotal", () => {
  it("follows the period, the quantity, the discount and the tax", () => {
    expect(upfrontTotal({ plan: "monthly", quantity: 1 }, offer, null)).toEqual({
      full: 20_600,
      discount: 0,
      tax: 0,
      total: 20_600,
    });
    expect(upfrontTotal({ plan: "annual", quantity: 1 }, offer, vat(0))).toEqual({
      full: 247_200,
      discount: -42_024,
      tax: 0,
      total: 205_176,
    });
    expect(upfrontTotal({ plan: "annual", quantity: 20 }, offer, vat(20))).toEqual({
      full: 4_944_000,
      discount: -840_480,
      tax: 820_704,
      total: 4_924_224,
    });
    expect(upfrontTotal({ plan: "annual", quantity: 2 }, { ...offer, annual_discount: 0 }, null).discount).toBe(0);
  });
});

it("says what a device costs for a month of a paid year", () => {
  expect(monthOfYear(offer)).toBe(17_098);
});

describe("the form for an offer", () => {
  it("has the fields that the service takes, and those of a trial", () => {
    expect(new Set(Object.keys(premiumForm(manager)))).toEqual(
      new Set(
        "firstName lastName email country businessDescribe role nbOfEmployees nbOfConcurrentVD companyName isprivacyPolicyChecked useCases companyActivity typeLicense".split(
          " ",
        ),
      ),
    );
    expect(new Set(Object.keys(premiumBody(premiumForm(manager))))).toEqual(
      new Set(
        "first_name last_name email company_name role country nb_of_employees nb_of_concurrent_vd business_describe".split(
          " ",
        ),
      ),
    );
  });
});
