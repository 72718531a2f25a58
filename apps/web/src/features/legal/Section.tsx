import { Box, Link, Typography } from "@mui/material";
import Hash from "lucide-react/icons/hash";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import type { LegalSection } from "../../en/legal.ts";

interface Props {
  section: LegalSection;
  /** What stands below the text. */
  children?: React.ReactNode;
}

/** One section of a legal text. The mark beside its heading is a link to it, to copy or send on. */
export function Section({ section: { id, title, body }, children }: Props) {
  const { t } = useTranslation();
  return (
    <Box component="section" aria-labelledby={id} sx={{ "@media print": { mt: "18pt" } }}>
      <Typography id={id} tabIndex={-1} variant="h2" sx={heading}>
        {title}
        <Link href={`#${id}`} aria-label={t("legal.linkTo", { title })} sx={mark}>
          <Icon glyph={Hash} size={14} />
        </Link>
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
  mb: 2,
  scrollMarginTop: 24,
  display: "flex",
  alignItems: "center",
  gap: 2,
  "&:focus": { outline: "none" },
  "&:target": { color: "primary.main" },
  "& a": { opacity: 0 },
  "&:hover a, & a:focus-visible": { opacity: 1 },
  "@media (hover: none)": { "& a": { opacity: 1 } },
  "@media print": { breakAfter: "avoid", "&, &:target": { color: "inherit" } },
} as const;
const mark = { displayPrint: "none", display: "flex", p: 1, color: "text.tertiary" } as const;
