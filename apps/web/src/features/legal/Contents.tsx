import { Box, Link, Typography } from "@mui/material";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { LegalSection } from "../../en/legal.ts";

/** The headings of a legal text as links. Beside the text where there is room, above it elsewhere, and not on paper. */
export function Contents({ sections }: { sections: readonly LegalSection[] }) {
  const { t } = useTranslation();
  const title = useId();
  return (
    <Box component="nav" aria-labelledby={title} sx={nav}>
      <Typography id={title} variant="label" component="h2" sx={{ color: "text.primary" }}>
        {t("legal.contents")}
      </Typography>
      <Box
        component="ul"
        sx={{ listStyle: "none", m: 0, mt: 2, p: 0, columns: { xs: "150px 2", md: 1 }, columnGap: 6 }}
      >
        {sections.map(({ id, title: name }) => (
          <Box component="li" key={id} sx={{ breakInside: "avoid" }}>
            <Link href={`#${id}`} variant="body2" underline="hover" color="textSecondary" sx={line}>
              {name}
            </Link>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const nav = {
  displayPrint: "none",
  gridColumn: { xs: "text", md: 1 },
  gridRow: { md: "2 / span 2" },
  alignSelf: "start",
  position: { md: "sticky" },
  top: 24,
  p: { xs: 4, md: 0 },
  borderRadius: "10px",
  boxShadow: { xs: "inset 0 0 0 1px var(--mui-palette-divider)", md: "none" },
} as const;
/** Tall enough for a finger on a phone. */
const line = { display: "block", py: { xs: 3, sm: 1 } } as const;
