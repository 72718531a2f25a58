import "../../en/list.ts";
import "../../en/palette.ts";
import { useTranslation } from "react-i18next";
import { KeysDialog } from "../../components/KeysDialog.tsx";
import { listKeys } from "../../components/list/list-keys.ts";
import { PALETTE_KEY } from "./use-palette-key.ts";

/** Every shortcut of the pages. Those of a device are in the tooltips of its tools. */
export function AllKeys({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return <KeysDialog keys={[[PALETTE_KEY, t("palette.open")], ...listKeys(t)]} onClose={onClose} />;
}
