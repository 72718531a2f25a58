import "../en/list.ts";
import { Box, Button, Typography } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useTranslation } from "react-i18next";
import { AppDialog } from "./AppDialog.tsx";

const Key = styled("kbd")(({ theme }) => ({
  ...theme.typography.caption,
  fontFamily: "inherit",
  fontSize: 11,
  fontWeight: 500,
  padding: "0 5px",
  borderRadius: 4,
  border: "1px solid currentColor",
  opacity: 0.75,
}));

/** The keys that act on a page, each with what it does. */
export function KeysDialog({
  keys,
  isOpen,
  onClose,
}: {
  keys: [string, string][];
  isOpen: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <AppDialog
      title={t("common.keys.title")}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button variant="contained" color="primary" onClick={onClose}>
          {t("common.close")}
        </Button>
      }
    >
      <Box component="dl" sx={{ display: "grid", gridTemplateColumns: "64px 1fr", gap: 3, m: 0 }}>
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
    </AppDialog>
  );
}
