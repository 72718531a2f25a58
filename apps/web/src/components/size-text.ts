const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A number of bytes in the largest unit of which there is at least one: `1.5 MB`. A kilobyte has 1,024 bytes. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const unit = units[power] ?? "byte";
  // In its short form it has no plural.
  const unitDisplay = unit === "byte" ? "long" : "short";
  const format = new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 });
  return format.format(bytes / 1024 ** power);
}
