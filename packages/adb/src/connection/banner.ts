/** How a device describes itself when it answers a connection. */
export interface DeviceBanner {
  product: string;
  model: string;
  device: string;
  features: ReadonlySet<string>;
}

/** Fields are separated by `;`, values by `=`, features by `,`: inside a value these become `_`. */
const clean = (text: string) => text.replaceAll(/[;=,\0\r\n]/g, "_");

/** `device::ro.product.name=..;ro.product.model=..;ro.product.device=..;features=a,b`, as adbd 34 writes it. */
export function formatDeviceBanner({ product, model, device, features }: DeviceBanner): string {
  const fields = [
    `ro.product.name=${clean(product)}`,
    `ro.product.model=${clean(model)}`,
    `ro.product.device=${clean(device)}`,
    `features=${[...features].map(clean).join(",")}`,
  ];
  return `device::${fields.join(";")}`;
}

/** `host::features=a,b`, as adb writes it. */
export function formatHostBanner(features: Iterable<string>): string {
  return `host::features=${[...features].map(clean).join(",")}`;
}

/** Parses either side's banner; what is missing is empty. */
export function parseBanner(banner: string): DeviceBanner & { kind: string } {
  const [kind = "", , ...rest] = banner.replace(/\0.*$/s, "").split(":");
  const fields = new Map(
    rest
      .join(":")
      .split(";")
      .map((field): [string, string] => {
        const at = field.indexOf("=");
        return at < 0 ? [field, ""] : [field.slice(0, at), field.slice(at + 1)];
      }),
  );
  return {
    kind,
    product: fields.get("ro.product.name") ?? "",
    model: fields.get("ro.product.model") ?? "",
    device: fields.get("ro.product.device") ?? "",
    features: new Set((fields.get("features") ?? "").split(",").filter((feature) => feature !== "")),
  };
}
