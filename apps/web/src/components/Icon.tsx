import type { LucideIcon } from "lucide-react/types";

type IconSize = 14 | 16 | 18 | 20 | 24;

/** Strokes that match the type at each size. */
const strokes: Record<IconSize, number> = { 14: 2, 16: 1.75, 18: 1.75, 20: 1.75, 24: 1.5 };

export type Glyph = LucideIcon | ((props: GlyphProps) => React.ReactNode);

export interface GlyphProps {
  size?: number | string;
  strokeWidth?: number | string;
  className?: string;
}

interface Props {
  glyph: Glyph;
  size?: IconSize;
  /** Turns while something is under way. */
  spins?: boolean;
}

/** A picture beside a word: never the only thing that says something, so it is hidden from screen readers. */
export function Icon({ glyph: GlyphComponent, size = 16, spins = false }: Props) {
  return (
    <span
      aria-hidden="true"
      style={{
        display: "inline-flex",
        flex: "none",
        animation: spins ? "terrarium-turn 1.2s linear infinite" : undefined,
      }}
    >
      <GlyphComponent size={size} strokeWidth={strokes[size]} />
    </span>
  );
}
