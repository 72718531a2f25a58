/** A colour of a given lightness in the OKLCH space, so that a palette made from one hue looks even. `l` 0..1, `hue` in degrees. */
export function tone(hue: number, chroma: number, l: number): string {
  // Chroma is reduced until the colour can be shown; hue and lightness stay.
  for (let c = chroma; c > 0; c -= 0.005) {
    const rgb = fromOklch(l, c, hue);
    if (rgb.every((channel) => channel >= -0.001 && channel <= 1.001)) return hex(rgb);
  }
  return hex(fromOklch(l, 0, hue));
}

/** OKLCH to gamma-encoded sRGB, https://bottosson.github.io/posts/oklab/ */
function fromOklch(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
}

const hex = (rgb: number[]): string =>
  `#${rgb
    .map((v) =>
      Math.round(Math.min(1, Math.max(0, v)) * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

const channels = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** `#rrggbb` with an opacity of 0..1. */
export function alpha(color: string, opacity: number): string {
  const [r, g, b] = channels(color);
  return `rgba(${r},${g},${b},${opacity})`;
}

/** The colour `t` of the way from `a` to `b`, both `#rrggbb`. */
export function mix(a: string, b: string, t: number): string {
  const to = channels(b);
  return hex(channels(a).map((v, i) => (v + ((to[i] ?? v) - v) * t) / 255));
}

/** A steady hue, 0..359, for a name: the same package has the same colour on every device. */
export function hueOf(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360_007;
  return hash % 360;
}
