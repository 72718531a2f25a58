import { Box, IconButton, Tooltip } from "@mui/material";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";
import { useCopy } from "./use-copy.ts";

const SHOWN_CHARACTERS = 8;

/** The beginning of an identifier; the whole of it is the tooltip and what is copied. */
export function CopyId({ id }: { id: string }) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy();
  const label = isCopied ? t("common.copied") : t("common.copyId", { id });
  return (
    <Box component="span" sx={{ display: "flex", alignItems: "center", minWidth: 0, ...revealOnHover }}>
      <Tooltip title={id}>
        <Box component="span" sx={{ typography: "mono", overflow: "hidden" }}>
          {id.slice(0, SHOWN_CHARACTERS)}
        </Box>
      </Tooltip>
      <IconButton
        size="small"
        aria-label={label}
        sx={{ width: 20, height: 24, flex: "none" }}
        onClick={(event) => {
          event.stopPropagation();
          copy(id);
        }}
      >
        <Icon glyph={isCopied ? Check : Copy} size={14} />
      </IconButton>
    </Box>
  );
}

const revealOnHover = {
  "& button": { opacity: 0 },
  "&:hover button, & button:focus-visible, tr:hover & button, tr:focus-within & button": { opacity: 1 },
  "@media (hover: none)": { "& button": { opacity: 1 } },
};
