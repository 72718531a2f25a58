import "../../en/list.ts";
import "../../en/palette.ts";
import { useTranslation } from "react-i18next";
import { KeysDialog } from "../../components/KeysDialog.tsx";
import { PALETTE_KEY } from "./use-palette-key.ts";

const shortcuts = ["search", "help", "arrows", "enter", "space", "menu", "escape"] as const;

/** Every shortcut of the pages. Those of a device are in the tooltips of its tools. */
export function AllKeys({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const keys = shortcuts.map((name): [string, string] => [
    t(`common.keys.caps.${name}`),
    t(`palette.shortcuts.${name}`),
  ]);
  return <KeysDialog keys={[[PALETTE_KEY, t("palette.shortcuts.palette")], ...keys]} onClose={onClose} />;
}
