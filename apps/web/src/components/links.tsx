import { Button, Link } from "@mui/material";
import ArrowLeft from "lucide-react/icons/arrow-left";
import Hash from "lucide-react/icons/hash";
import { Link as RouterLink } from "react-router";
import { Icon } from "./Icon.tsx";

interface BackLinkProps {
  to: string;
  /** Room below it, in units of the theme. */
  mb?: number;
  children: React.ReactNode;
}

/** Leads from a page to the one above it. Its picture, not its surface, is in line with the page. */
export function BackLink({ to, mb = 0, children }: BackLinkProps) {
  const picture = <Icon glyph={ArrowLeft} />;
  return (
    <Button component={RouterLink} to={to} variant="text" startIcon={picture} sx={{ ml: -3, mb, alignSelf: "start" }}>
      {children}
    </Button>
  );
}

interface HeadingMarkProps {
  /** The heading's. */
  id: string;
  label: string;
}

/** The mark beside a heading is a link to it, to copy or send on. On a phone it is as large as a finger, without moving the text. */
export function HeadingMark({ id, label }: HeadingMarkProps) {
  return (
    <Link href={`#${id}`} aria-label={label} sx={mark}>
      <Icon glyph={Hash} size={14} />
    </Link>
  );
}

/** Of a heading with a mark, which is seen once somebody is at it. */
export const markedHeading = {
  scrollMarginTop: 24,
  display: "flex",
  alignItems: "center",
  gap: 2,
  "&:focus": { outline: "none" },
  "& a": { opacity: 0 },
  "&:hover a, & a:focus-visible": { opacity: 1 },
  "@media (hover: none)": { "& a": { opacity: 1 } },
} as const;

const mark = {
  displayPrint: "none",
  display: "flex",
  p: { xs: "15px", sm: 1 },
  m: { xs: "-15px", sm: 0 },
  color: "text.tertiary",
} as const;

/** Of a link that is a line of its own: on a phone a finger may come down above or below it. It takes no more room for that. */
export const takesFinger = {
  display: "inline-block",
  minWidth: { xs: 44, sm: 0 },
  py: { xs: "14px", sm: 0 },
  my: { xs: "-14px", sm: 0 },
} as const;
