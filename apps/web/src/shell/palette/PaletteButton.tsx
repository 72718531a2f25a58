import "../../en/palette.ts";
import { ButtonBase, IconButton, Tooltip, useMediaQuery } from "@mui/material";
import { styled } from "@mui/material/styles";
import Search from "lucide-react/icons/search";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { DESKTOP } from "../../theme/desktop.ts";
import { PALETTE_KEY } from "./use-palette-key.ts";

/** Opens the palette. On a desktop it looks like the field that it opens; elsewhere it is a sign, whose tooltip names the key. */
export function PaletteButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation();
  const isDesktop = useMediaQuery(DESKTOP);
  const name = t("palette.open");
  const shared = {
    "aria-haspopup": "dialog",
    "aria-keyshortcuts": "Control+K Meta+K",
    onClick: onPress,
  } as const;
  if (isDesktop)
    return (
      <Field {...shared}>
        <Icon glyph={Search} />
        {name}
        <kbd aria-hidden="true">{PALETTE_KEY}</kbd>
      </Field>
    );
  return (
    <Tooltip title={`${name} (${PALETTE_KEY})`}>
      <IconButton {...shared} aria-label={name}>
        <Icon glyph={Search} size={18} />
      </IconButton>
    </Tooltip>
  );
}

const Field = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  width: 320,
  // At the side where fields begin; nothing else that takes the focus is passed by this.
  order: -1,
  height: 32,
  justifyContent: "flex-start",
  gap: 8,
  padding: "0 8px 0 10px",
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.tertiary,
  "&:hover": { color: theme.vars.palette.text.primary },
  "& kbd": {
    ...theme.typography.caption,
    marginLeft: "auto",
    padding: "0 5px",
    borderRadius: 4,
    border: `1px solid ${theme.vars.palette.divider}`,
    background: theme.vars.palette.background.default,
  },
}));
