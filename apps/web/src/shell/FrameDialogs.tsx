import { lazy, Suspense } from "react";
import { fetchCode } from "../components/fetch-code.ts";
import { whenIdle } from "../components/when-idle.ts";

const fetchPalette = () => fetchCode(async () => ({ default: (await import("./palette/Palette.tsx")).Palette }));
const Palette = lazy(fetchPalette);
const AllKeys = lazy(() => fetchCode(async () => ({ default: (await import("./palette/AllKeys.tsx")).AllKeys })));
const SupportDialog = lazy(() =>
  fetchCode(async () => ({ default: (await import("../features/support/SupportDialog.tsx")).SupportDialog })),
);
const UpdatesDialog = lazy(() =>
  fetchCode(async () => ({ default: (await import("../features/updates/UpdatesDialog.tsx")).UpdatesDialog })),
);

/** The dialogs that every page has. */
export type FrameDialog = "palette" | "keys" | "support" | "feedback" | "updates";

/** So that a press on its key shows the palette at once. */
export const fetchPaletteWhenIdle = (): (() => void) => whenIdle(() => void fetchPalette().catch(() => undefined));

interface Props {
  open: FrameDialog | undefined;
  onAsk: (what: FrameDialog) => void;
  onClose: () => void;
}

/** The dialog of the frame that is open; its code comes when it is first opened. */
export const FrameDialogs = ({ open, onAsk, onClose }: Props) => (
  <Suspense>
    {open === "palette" && <Palette onAsk={onAsk} onClose={onClose} />}
    {open === "keys" && <AllKeys onClose={onClose} />}
    {(open === "support" || open === "feedback") && <SupportDialog topic={open} onClose={onClose} />}
    {open === "updates" && <UpdatesDialog onClose={onClose} />}
  </Suspense>
);
