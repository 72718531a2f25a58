import type { Capture, CaptureKind } from "@terrarium/contract";
import type { TFunction } from "i18next";
import Film from "lucide-react/icons/film";
import History from "lucide-react/icons/history";
import ImageIcon from "lucide-react/icons/image";
import type { Glyph } from "../../components/Icon.tsx";
import "../../en/captures.ts";

export const captureGlyphs: Record<CaptureKind, Glyph> = { screenshot: ImageIcon, recording: Film, replay: History };

/** What it is called, which has no name of its own. */
export const captureName = ({ kind, instance_name: device }: Capture, t: TFunction): string =>
  t("captures.of", { kind: t(`captures.kind.${kind}`), device });
