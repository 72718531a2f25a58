import type { ShippedPackage } from "./shipped-packages.ts";

/**
 * The bill of materials of what we ship, in CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/). It has neither a time nor a serial number,
 * so that the same packages make the same text.
 */
export function sbomOf(version: string, packages: readonly ShippedPackage[]): string {
  const product = { "bom-ref": `terrarium@${version}`, type: "application", name: "terrarium", version };
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { ...product, licenses: [{ expression: "Apache-2.0" }] } },
    components: packages.map(componentOf),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function componentOf({ name, version, licence, integrity }: ShippedPackage) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    "bom-ref": purl,
    type: "library",
    name,
    version,
    purl,
    ...(licence && { licenses: [{ expression: licence }] }),
    ...(integrity && { hashes: integrity.split(" ").map(hashOf) }),
  };
}

/** From npm's form, `sha512-` and base64, to CycloneDX's. */
function hashOf(integrity: string) {
  const [, bits = "", base64 = ""] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  return { alg: `SHA-${bits}`, content: Buffer.from(base64, "base64").toString("hex") };
}
