import "../en/list.ts";
import { Box, Typography } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useTranslation } from "react-i18next";
import { AppDialog } from "./AppDialog.tsx";

const Key = styled("kbd")(({ theme }) => ({
  ...theme.typography.caption,
  fontFamily: "inherit",
  fontSize: 11,
  fontWeight: 500,
  padding: "0 5px",
  whiteSpace: "nowrap",
  borderRadius: 4,
  border: "1px solid currentColor",
  opacity: 0.75,
}));

interface Props {
  keys: [string, string][];
  /** Further keys, below a title of their own. */
  children?: React.ReactNode;
  onClose: () => void;
}

/** The keys that act on a page, each with what it does. */
export function KeysDialog({ keys, children, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <AppDialog title={t("common.keys.title")} onClose={onClose} dismiss={t("common.close")}>
      <Keys keys={keys} />
      {children}
    </AppDialog>
  );
}

export const Keys = ({ keys }: Pick<Props, "keys">) => (
  <Box component="dl" sx={{ display: "grid", gridTemplateColumns: "88px 1fr", gap: 3, m: 0 }}>
    {keys.map(([key, does]) => (
      <Box key={key} sx={{ display: "contents" }}>
        <dt>
          <Key>{key}</Key>
        </dt>
        <Typography component="dd" sx={{ m: 0 }}>
          {does}
        </Typography>
      </Box>
    ))}
  </Box>
);
