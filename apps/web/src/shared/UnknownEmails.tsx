import "../en/emails.ts";
import { Box, Button, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";

interface Props {
  /** Addresses in the field above that the service did not find. */
  unknown: readonly string[];
  onRemove: () => void;
}

/** Names the addresses that nobody has, and takes them out of the field. */
export function UnknownEmails({ unknown, onRemove }: Props) {
  const { t } = useTranslation();
  if (unknown.length === 0) return null;
  return (
    <Box sx={{ display: "flex", alignItems: "center", gap: 2, mt: 1 }}>
      <Typography variant="body2" sx={{ flex: 1, color: "error.main", overflowWrap: "anywhere" }}>
        {unknown.join(", ")}
      </Typography>
      <Button size="small" onClick={onRemove}>
        {t("addOrganizationUsers.removeUnknown", { count: unknown.length })}
      </Button>
    </Box>
  );
}
