/** How an invoice or credit note is called everywhere: INV-000042. */
export const invoiceNumber = (number: number): string => `INV-${String(number).padStart(6, "0")}`;
