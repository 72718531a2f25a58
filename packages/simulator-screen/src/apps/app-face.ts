import { hueOf } from "../draw/color.ts";
import type { IconName } from "../draw/icons.ts";

/** How a launcher shows an app: the hue of its colour in degrees, and a glyph if it is one of ours. */
export interface AppFace {
  hue: number;
  icon: IconName | undefined;
}

const faces: Record<string, AppFace> = {
  "com.terrarium.settings": { icon: "gear", hue: 255 },
  "com.terrarium.notes": { icon: "note", hue: 75 },
  "com.terrarium.calculator": { icon: "sums", hue: 165 },
  "com.terrarium.latency": { icon: "target", hue: 30 },
};

/** An app that is not ours has no glyph, and a hue that is the same on every device. */
export const faceOf = (packageName: string): AppFace =>
  faces[packageName] ?? { icon: undefined, hue: hueOf(packageName) };
