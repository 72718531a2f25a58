import "../../en/legal.ts";
import { Box, Button, Link as MuiLink, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import Printer from "lucide-react/icons/printer";
import { useTranslation } from "react-i18next";
import { BackLink } from "../../components/links.tsx";
import { longDate } from "../../components/dates.ts";
import { Icon } from "../../components/Icon.tsx";
import { publicSettings } from "../../session/settings.ts";
import { ConsentChoice } from "./ConsentChoice.tsx";
import { Contents } from "./Contents.tsx";
import { Section } from "./Section.tsx";

/** A legal text: one column of readable width, with its contents beside it where there is room. */
export function LegalText({ name }: { name: "terms" | "privacy" }) {
  const { t } = useTranslation();
  const operator = useQuery(publicSettings).data?.operator;
  const date = t(`legal.${name}.date`);
  const sections = t(`legal.${name}.sections`, {
    returnObjects: true,
    name: operator?.name ?? t("legal.operator.name"),
    address: operator?.address ?? t("legal.operator.address"),
    contact: operator?.contact ?? t("legal.operator.contact"),
    court: operator?.court ?? t("legal.operator.court"),
  });
  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <Box sx={{ displayPrint: "none", gridColumn: "text", display: "flex", justifyContent: "space-between", mr: -3 }}>
        <BackLink to="/">{t("legal.back")}</BackLink>
        <Button variant="text" startIcon={<Icon glyph={Printer} />} onClick={() => globalThis.print()}>
          {t("legal.print")}
        </Button>
      </Box>
      <Box component="header" sx={{ gridColumn: "text" }}>
        <Typography variant="figure" component="h1">
          {t(`legal.${name}.title`)}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          <time dateTime={date}>{t("legal.updated", { date: longDate(`${date}T12:00:00`, date) })}</time>
          {" · "}
          {t("legal.version", { version: date })}
        </Typography>
        {operator?.name && (
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
            {operator.name}
            {operator.contact && (
              <>
                {" · "}
                <MuiLink href={`mailto:${operator.contact}`}>{operator.contact}</MuiLink>
              </>
            )}
          </Typography>
        )}
      </Box>
      <Contents sections={sections} />
      <Box sx={{ gridColumn: "text", display: "grid", gap: 8 }}>
        {sections.map((section) => (
          <Section key={section.id} section={section}>
            {section.id === "consent" && <ConsentChoice />}
          </Section>
        ))}
      </Box>
    </Box>
  );
}

const page = {
  display: "grid",
  gridTemplateColumns: { xs: "[text] minmax(0, 640px)", md: "200px [text] minmax(0, 640px)" },
  justifyContent: "center",
  columnGap: 16,
  rowGap: 6,
  px: { xs: 4, sm: 6 },
  pt: { xs: 4, sm: 12 },
  pb: 20,
  "@media print": { display: "block", p: 0, color: "#000", background: "#fff" },
} as const;
