import { escapeHtml } from "../../../platform/escape-html.ts";
import type { Printed, PrintedLine, Seller } from "./printed.ts";
import { vatNotes, vatOf } from "./vat.ts";

/** Lines of the same recipe and price are one here; if there are more of them than these, all become one. */
const MAX_ITEMS = 1_000;

interface Item {
  name: string;
  quantity: number;
  price: number;
}

/** Adds up lines by recipe and price while they are printed. */
export class Items {
  readonly #items = new Map<string, Item>();
  #sum = 0;

  add({ description: name, quantity, price, amount }: PrintedLine): void {
    this.#sum += amount;
    const key = `${price} ${name}`;
    const item = this.#items.get(key);
    if (item) item.quantity += quantity;
    else if (this.#items.size <= MAX_ITEMS) this.#items.set(key, { name, quantity, price });
  }

  /** What they come to, in cents. */
  get sum(): number {
    return this.#sum;
  }

  list(): Item[] {
    if (this.#items.size > MAX_ITEMS) return [{ name: "Use of devices", quantity: 1, price: this.#sum }];
    return [...this.#items.values()];
  }
}

/** UNCL 5305 codes of how VAT stands. */
const categories = { taxed: "S", reverseCharge: "AE", outside: "O", exempt: "E" } as const;
const exemptions = { reverseCharge: "VATEX-EU-AE", outside: "VATEX-EU-O", exempt: undefined } as const;

/**
 * The invoice for programs: EN 16931 as Cross Industry Invoice, which Factur-X and ZUGFeRD embed. Null where the seller is not known as
 * a business of the European Union, or where not every line is printed: then there is only paper.
 */
export function eInvoice(invoice: Printed, items: Items): string | null {
  const { seller, billTo, refunds, taxRate } = invoice;
  const vat = vatOf(invoice);
  if (!seller.vatNumber || vat === "none" || items.sum !== invoice.net) return null;
  // A credit note says how much is paid back, without a sign.
  const sign = refunds === null ? 1 : -1;
  const amount = (cents: number) => decimal(sign * cents);
  const rate = vat === "taxed" ? (taxRate?.percentage ?? 0) : 0;
  const category = categories[vat];
  // What is outside of the scope of VAT must name no VAT numbers, nor a rate.
  const withNumbers = vat !== "outside";
  const applicable = vat === "outside" ? "" : `<ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent>`;
  const exemption =
    vat === "taxed"
      ? ["", ""]
      : [
          `<ram:ExemptionReason>${text(vatNotes[vat] ?? "")}</ram:ExemptionReason>`,
          element("ExemptionReasonCode", exemptions[vat] ?? ""),
        ];
  const lines = items.list().map(
    ({ name, quantity, price }, index) => `<ram:IncludedSupplyChainTradeLineItem>
<ram:AssociatedDocumentLineDocument><ram:LineID>${index + 1}</ram:LineID></ram:AssociatedDocumentLineDocument>
<ram:SpecifiedTradeProduct><ram:Name>${text(name) || "Device"}</ram:Name></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${decimal(Math.abs(price))}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="${invoice.usageType === "metered" && refunds === null ? "MIN" : "C62"}">${(Math.sign(price) || 1) * sign * quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>${category}</ram:CategoryCode>${applicable}</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${amount(quantity * price)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>${text(invoice.number)}</ram:ID><ram:TypeCode>${refunds === null ? 380 : 381}</ram:TypeCode><ram:IssueDateTime>${day(invoice.issuedAt)}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${lines.join("\n")}
<ram:ApplicableHeaderTradeAgreement>
<ram:SellerTradeParty>${withNumbers ? "" : `<ram:ID>${text(seller.vatNumber)}</ram:ID>`}<ram:Name>${text(seller.name)}</ram:Name>${sellerAddress(seller)}${withNumbers ? vatNumber(seller.vatNumber) : ""}</ram:SellerTradeParty>
<ram:BuyerTradeParty><ram:Name>${text(billTo.company_name || billTo.name)}</ram:Name><ram:PostalTradeAddress>${element("PostcodeCode", billTo.address.postcode)}${element("LineOne", billTo.address.street)}${element("LineTwo", billTo.address.additional_info)}${element("CityName", billTo.address.city)}<ram:CountryID>${text(billTo.address.country)}</ram:CountryID></ram:PostalTradeAddress>${withNumbers && billTo.vat_number ? vatNumber(billTo.vat_number) : ""}</ram:BuyerTradeParty>
</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery/>
<ram:ApplicableHeaderTradeSettlement>
<ram:InvoiceCurrencyCode>${invoice.currency}</ram:InvoiceCurrencyCode>
<ram:ApplicableTradeTax><ram:CalculatedAmount>${amount(invoice.tax)}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>${exemption[0]}<ram:BasisAmount>${amount(invoice.net)}</ram:BasisAmount><ram:CategoryCode>${category}</ram:CategoryCode>${exemption[1]}${applicable}</ram:ApplicableTradeTax>
<ram:BillingSpecifiedPeriod><ram:StartDateTime>${day(invoice.periodBeganAt)}</ram:StartDateTime><ram:EndDateTime>${day(invoice.periodEndedAt)}</ram:EndDateTime></ram:BillingSpecifiedPeriod>
<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${day(invoice.dueAt)}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>${amount(invoice.net)}</ram:LineTotalAmount><ram:TaxBasisTotalAmount>${amount(invoice.net)}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="${invoice.currency}">${amount(invoice.tax)}</ram:TaxTotalAmount><ram:GrandTotalAmount>${amount(invoice.amount)}</ram:GrandTotalAmount><ram:DuePayableAmount>${amount(invoice.amount)}</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
${refunds === null ? "" : `<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${text(refunds)}</ram:IssuerAssignedID></ram:InvoiceReferencedDocument>`}
</ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

const sellerAddress = ({ address, country }: Seller): string =>
  `<ram:PostalTradeAddress>${element("LineOne", address ?? "")}<ram:CountryID>${text(country)}</ram:CountryID></ram:PostalTradeAddress>`;

const vatNumber = (number: string): string =>
  `<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${text(number)}</ram:ID></ram:SpecifiedTaxRegistration>`;

/** An optional element of an address. */
const element = (name: string, content: string): string => {
  const inside = text(content);
  return inside === "" ? "" : `<ram:${name}>${inside}</ram:${name}>`;
};

/** Text of an element. XML has no way to say control characters. */
const text = (content: string): string =>
  escapeHtml(
    content
      .toWellFormed()
      .replaceAll(/[\p{Cc}\ufffe\uffff]+/gu, " ")
      .trim(),
  );

const decimal = (cents: number): string => {
  const whole = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
};

const day = (at: Date): string =>
  `<udt:DateTimeString format="102">${at.toISOString().slice(0, 10).replaceAll("-", "")}</udt:DateTimeString>`;
