import "../../en/catalogue.ts";
import { Box } from "@mui/material";
import type { Person } from "@terrarium/contract";
import ShieldCheck from "lucide-react/icons/shield-check";
import UserRound from "lucide-react/icons/user-round";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { nameOf } from "../../components/PersonMark.tsx";

interface Props {
  item: { is_official: boolean; owner: Person | null };
  /** The uuid of whoever looks. */
  me: string;
}

/** Where a thing of a catalogue comes from: the product, oneself, or somebody else. */
export function Origin({ item: { is_official: isOfficial, owner }, me }: Props) {
  const { t } = useTranslation();
  const say = () => {
    if (isOfficial) return t("catalogue.official");
    if (!owner) return t("catalogue.custom");
    return owner.uuid === me ? t("catalogue.byYou") : t("catalogue.by", { name: nameOf(owner) });
  };
  return (
    <Box component="span" sx={{ display: "inline-flex", alignItems: "center", gap: 1, minWidth: 0, maxWidth: "100%" }}>
      <Icon glyph={isOfficial ? ShieldCheck : UserRound} size={14} />
      <Box component="span" sx={{ overflow: "hidden", textOverflow: "ellipsis" }}>
        {say()}
      </Box>
    </Box>
  );
}
