import "../../en/updates.ts";
import { Box, Button, Typography } from "@mui/material";
import Sparkles from "lucide-react/icons/sparkles";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { usePreference } from "../../components/use-preference.ts";
import { markAllRead, newsFor, readUpdates } from "./updates.ts";

/** Announces the latest entry once, if it is a major one: a line above the page, which covers nothing and takes no focus. */
export function News({ onAll }: { onAll: () => void }) {
  const { t } = useTranslation();
  const title = useId();
  const [read] = usePreference(readUpdates);
  const news = newsFor(read);
  if (!news) return null;
  return (
    <Box component="section" aria-labelledby={title} sx={line}>
      <Box sx={{ display: "flex", color: "primary.main" }}>
        <Icon glyph={Sparkles} />
      </Box>
      <Typography variant="body2" sx={{ flex: "1 1 200px", minWidth: 0 }}>
        <Box component="span" sx={{ color: "text.secondary" }}>
          {t("updates.title")}:
        </Box>{" "}
        <Box component="span" id={title} sx={{ fontWeight: 550 }}>
          {t(`updates.entries.${news.id}.title`)}
        </Box>
      </Typography>
      <Box sx={{ display: "flex", gap: 1, ml: "auto" }}>
        <Button variant="text" size="small" onClick={onAll}>
          {t("updates.all")}
        </Button>
        <Button variant="text" size="small" onClick={markAllRead}>
          {t("updates.understood")}
        </Button>
      </Box>
    </Box>
  );
}

const line = {
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  columnGap: 3,
  m: { xs: 3, sm: "16px 24px 0" },
  px: 3,
  pt: { xs: 3, sm: 1 },
  pb: 1,
  border: 1,
  borderColor: "divider",
  borderRadius: "10px",
  bgcolor: "background.paper",
} as const;
