import "../../en/updates.ts";
import { Box, Link as MuiLink } from "@mui/material";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Tag } from "../../components/Tag.tsx";
import { markAllRead, readUpdates, updates } from "./updates.ts";
import { UpdateText } from "./UpdateText.tsx";

/** Everything that is new, the latest first. To have opened it counts as having read it. */
export function UpdatesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  /** As it was when the dialog was opened. */
  const [read] = useState(readUpdates.read);
  const close = () => {
    markAllRead();
    onClose();
  };
  return (
    <AppDialog title={t("updates.title")} onClose={close} dismiss={t("updates.read")} width={560} isLarge>
      <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 6 }}>
        {updates.map(({ id }) => (
          <li key={id}>
            <Box sx={{ display: "flex", alignItems: "center", gap: 2 }}>
              <MuiLink
                component={Link}
                to={`/update/${id}`}
                onClick={close}
                variant="h3"
                color="textPrimary"
                underline="hover"
              >
                {t(`updates.entries.${id}.title`)}
              </MuiLink>
              {!read.includes(id) && <Tag>{t("updates.new")}</Tag>}
            </Box>
            <UpdateText id={id} />
          </li>
        ))}
      </Box>
    </AppDialog>
  );
}
