/** What a CSV file begins with: a mark for Excel, which otherwise takes UTF-8 for something else. */
export const csvMark = "\uFEFF";

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

/** Text that a spreadsheet would take for a formula gets an apostrophe in front, which makes it text. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
