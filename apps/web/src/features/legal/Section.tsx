import { Box, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { HeadingMark, markedHeading } from "../../components/links.tsx";
import type { LegalSection } from "../../en/legal.ts";

interface Props {
  section: LegalSection;
  /** What stands below the text. */
  children?: React.ReactNode;
}

/** One section of a legal text. */
export function Section({ section: { id, title, body }, children }: Props) {
  const { t } = useTranslation();
  return (
    <Box component="section" aria-labelledby={id} sx={{ "@media print": { mt: "18pt" } }}>
      <Typography id={id} tabIndex={-1} variant="h2" sx={heading}>
        {title}
        <HeadingMark id={id} label={t("legal.linkTo", { title })} />
      </Typography>
      {body.map((part, index) =>
        typeof part === "string" ? (
          <Typography key={index} sx={paragraph}>
            {part}
          </Typography>
        ) : (
          <Box key={index} component="ul" sx={{ m: 0, mb: 3, pl: 5 }}>
            {part.map((item) => (
              <Typography key={item} component="li" sx={{ ...paragraph, mb: 1.5 }}>
                {item}
              </Typography>
            ))}
          </Box>
        ),
      )}
      {children}
    </Box>
  );
}

const paragraph = {
  mb: 3,
  fontSize: "0.9375rem",
  lineHeight: "24px",
  color: "text.secondary",
  overflowWrap: "anywhere",
  "@media print": { color: "inherit", orphans: 3, widows: 3 },
} as const;
const heading = {
  ...markedHeading,
  mb: 2,
  "&:target": { color: "primary.main" },
  "@media print": { breakAfter: "avoid", "&, &:target": { color: "inherit" } },
} as const;
