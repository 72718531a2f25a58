import { generate } from "lean-qr";

/** The empty frame that a QR code needs, in modules (ISO/IEC 18004). */
const QUIET = 4;

/** A QR code: dark on white in every theme, as cameras expect it. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const size = code.size + 2 * QUIET;
  const modules = Array.from(
    { length: code.size ** 2 },
    (_, at) => [at % code.size, Math.floor(at / code.size)] as const,
  );
  const dark = modules
    .filter(([x, y]) => code.get(x, y))
    .map(([x, y]) => `M${x + QUIET} ${y + QUIET}h1v1h-1z`)
    .join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="M0 0h${size}v${size}H0z" fill="#fff"/><path d="${dark}"/></svg>`;
  return <img alt={label} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} width={208} height={208} />;
}
