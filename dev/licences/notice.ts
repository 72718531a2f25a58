import type { ShippedPackage } from "./shipped-packages.ts";

const START = "Packages from npm";

/** The text of NOTICE with its last part, the list of packages, replaced. */
export function withList(notice: string, packages: readonly ShippedPackage[]): string {
  const at = notice.indexOf(`\n${START}\n`);
  if (at < 0) throw new Error(`NOTICE has no line "${START}".`);
  const lines = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence ?? "unknown"}`);
  return `${notice.slice(0, at)}\n${START}\n${"-".repeat(START.length)}\n${lines.join("\n")}\n`;
}
