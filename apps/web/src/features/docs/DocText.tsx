import { Box, Typography } from "@mui/material";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { HeadingMark, markedHeading } from "../../components/links.tsx";
import type { DocSection } from "./doc-section.ts";

/** The text of a page. The mark beside each heading is a link to it. */
export function DocText({ sections }: { sections: readonly DocSection[] }) {
  const { t } = useTranslation();
  const location = useLocation();
  const navigate = useNavigate();
  // The browser looked for it before the text was here, and marks nothing that the app itself leads to.
  useEffect(() => {
    const target = sections.length > 0 && document.getElementById(location.hash.slice(1));
    if (!target) return undefined;
    target.scrollIntoView();
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.dataset["target"] = "";
    return () => void delete target.dataset["target"];
  }, [location, sections]);
  /** A link in the text is no component: without this it would load the whole app again. */
  const follow = (event: React.MouseEvent) => {
    const to = event.target instanceof Element && event.target.closest("a")?.getAttribute("href");
    if (!to || !/^\/docs\b/.test(to) || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(to);
  };
  return (
    <Box component="article" sx={text} onClick={follow}>
      {sections.map(({ id, title, level, html }) => (
        <section key={id} aria-labelledby={id}>
          <Typography
            id={id}
            tabIndex={-1}
            variant={level === 1 ? "figure" : level === 2 ? "h1" : "h2"}
            component={level === 1 ? "h1" : level === 2 ? "h2" : "h3"}
            sx={{ ...heading, mt: level === 1 ? 0 : level === 2 ? 10 : 6 }}
          >
            {title}
            {level > 1 && <HeadingMark id={id} label={t("docs.linkTo", { title })} />}
          </Typography>
          {/* Made from our own files when the app is built. */}
          <div dangerouslySetInnerHTML={{ __html: html }} />
        </section>
      ))}
    </Box>
  );
}

const heading = {
  ...markedHeading,
  mb: 3,
  overflowWrap: "anywhere",
  "&[data-target]": { color: "primary.main" },
} as const;
const text = {
  fontSize: "0.9375rem",
  lineHeight: "24px",
  color: "text.secondary",
  overflowWrap: "anywhere",
  "& h1, & h2, & h3": { color: "text.primary" },
  "& p, & ul, & ol": { m: 0, mb: 3 },
  "& ul, & ol": { pl: 5 },
  "& li": { mb: 1 },
  "& a": { color: "primary.main", textUnderlineOffset: "3px" },
  "& strong": { color: "text.primary", fontWeight: 600 },
  "& code": { typography: "mono", fontSize: "0.8125rem", color: "text.primary" },
  "& code[data-target]": { background: "var(--mui-palette-fresh-wash)" },
  "& pre, & .wide": {
    mb: 4,
    overflowX: "auto",
    borderRadius: "10px",
    boxShadow: "inset 0 0 0 1px var(--mui-palette-divider)",
  },
  "& pre": { mt: 0, p: 4, lineHeight: "20px", overflowWrap: "normal" },
  "& img": { maxWidth: "100%", height: "auto", borderRadius: "10px", outline: "1px solid var(--mui-palette-divider)" },
  "& table": {
    borderCollapse: "collapse",
    width: "100%",
    minWidth: 640,
    fontSize: "0.8125rem",
    lineHeight: "20px",
    overflowWrap: "normal",
  },
  "& th, & td": { textAlign: "left", verticalAlign: "top", px: 3, py: 2 },
  "& th": { color: "text.primary", fontWeight: 550 },
  "& td": { borderTop: 1, borderColor: "divider" },
  "& td:first-of-type code": { whiteSpace: "nowrap" },
} as const;
