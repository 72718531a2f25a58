import "../../en/legal.ts";
import { Box, Button, Typography } from "@mui/material";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { longDate } from "../../components/dates.ts";
import { Icon } from "../../components/Icon.tsx";

/** A text to read: one column, at most 72 characters wide. */
export function LegalText({ name }: { name: "terms" | "privacy" }) {
  const { t } = useTranslation();
  const date = t(`legal.${name}.date`);
  return (
    <Box
      component="main"
      id="main"
      tabIndex={-1}
      sx={{
        maxWidth: 640,
        mx: "auto",
        px: { xs: 4, sm: 6 },
        py: { xs: 6, sm: 16 },
        display: "grid",
        gap: 6,
      }}
    >
      <Button
        component={Link}
        to="/"
        variant="text"
        startIcon={<Icon glyph={ArrowLeft} />}
        sx={{ justifySelf: "start", ml: -3 }}
      >
        {t("legal.back")}
      </Button>
      <div>
        <Typography variant="h1">{t(`legal.${name}.title`)}</Typography>
        <Typography variant="body2" color="textSecondary">
          {t("legal.updated", { date: longDate(`${date}T12:00:00`, date) })}
        </Typography>
      </div>
      {t(`legal.${name}.sections`, { returnObjects: true }).map((section) => (
        <section key={section.title}>
          <Typography variant="h2" sx={{ mb: 2 }}>
            {section.title}
          </Typography>
          <Typography color="textSecondary">{section.text}</Typography>
        </section>
      ))}
    </Box>
  );
}
