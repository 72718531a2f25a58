import "../../en/docs.ts";
import { Box, Button, Link as MuiLink, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import { useId, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, type Params, useParams, useSearchParams } from "react-router";
import { BackLink } from "../../components/links.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { SearchField } from "../../components/SearchField.tsx";
import { useTitle } from "../../components/use-title.ts";
import { useTypedSearch } from "../../components/use-typed-search.ts";
import { queryClient } from "../../session/client.ts";
import { ApiReference } from "./api/ApiReference.tsx";
import { DocText } from "./DocText.tsx";
import { Found, FoundCount } from "./Found.tsx";
import { type DocPage, docPage, docPages, docPath, pageOf, writtenPages } from "./doc-pages.ts";

const groups = [...Map.groupBy(docPages, ({ group }): DocPage["group"] => group)];

/** The text is there with the page: a prerendered one has it, and what takes it over must be the same. */
export async function prepare({ name }: Params): Promise<void> {
  const page = pageOf(name);
  if (page && writtenPages.includes(page)) await queryClient.prefetchQuery(docPage(page));
}

const never = () => () => undefined;

/** A page of the documentation, with the way to the others; what is searched stands in its place. */
export default function DocsPage() {
  const { t } = useTranslation();
  const page = pageOf(useParams().name);
  const [address, setAddress] = useSearchParams();
  // A prerendered page is the same whatever is sought.
  const sought = useSyncExternalStore(
    never,
    () => address.get("search"),
    () => null,
  );
  const { search, setSearch, leaveSearch } = useTypedSearch(sought ?? "", (settled) =>
    setAddress(settled ? { search: settled } : {}, { replace: true }),
  );
  useTitle(page && t(`docs.pages.${page.name}`));
  if (!page) return <Navigate to="/docs" replace />;
  return (
    <Box sx={frame}>
      <Box component="header" sx={{ gridColumn: "1 / -1", display: "flex", flexWrap: "wrap", gap: 4 }}>
        <BackLink to="/">{t("docs.back")}</BackLink>
        <Box component="search" sx={{ flex: "1 1 200px", maxWidth: 420, ml: "auto" }}>
          <SearchField label={t("docs.search")} value={search} onChange={setSearch} onBlur={leaveSearch} fullWidth />
        </Box>
      </Box>
      <Pages key={page.name} current={page} />
      <Box component="main" id="main" tabIndex={-1} sx={{ minWidth: 0, "&:focus": { outline: "none" } }}>
        <FoundCount search={sought} />
        {sought ? (
          <Found search={sought} />
        ) : page.name === "api" ? (
          <ApiReference waiting={<Waiting />} />
        ) : (
          <Page page={page} />
        )}
      </Box>
    </Box>
  );
}

function Page({ page }: { page: DocPage }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(docPage(page));
  if (data) return <DocText sections={data} />;
  if (error)
    return (
      <ErrorState title={t("docs.failed")} help={t("docs.failedHelp")} error={error} onRetry={() => void refetch()} />
    );
  return (
    <Delayed>
      <Waiting />
    </Delayed>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return <Skeleton variant="rounded" height={480} component="output" aria-label={t("docs.loading")} />;
}

/**
 * The pages and the headings of this one: beside the text, or folded above it on a phone. No script decides which: a prerendered page is
 * both.
 */
function Pages({ current }: { current: DocPage }) {
  const { t } = useTranslation();
  const title = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { data: sections } = useQuery(docPage(current));
  const lists = groups.map(([group, pages]) => (
    <Box key={group} sx={{ mb: 5 }}>
      <Typography variant="caption" component="h2" color="textSecondary" sx={{ mb: 1 }} id={`${title}-${group}`}>
        {t(`docs.groups.${group}`)}
      </Typography>
      <Box component="ul" aria-labelledby={`${title}-${group}`} sx={bare}>
        {pages.map((page) => (
          <li key={page.name}>
            <MuiLink
              component={Link}
              to={docPath(page)}
              aria-current={page === current ? "page" : undefined}
              variant="body2"
              underline="hover"
              sx={entry}
            >
              {t(`docs.pages.${page.name}`)}
            </MuiLink>
            {page === current && (
              <Box component="ul" sx={{ ...bare, pl: 3, mb: 2, borderLeft: 1, borderColor: "divider" }}>
                {sections
                  ?.filter(({ level }) => level === 2)
                  .map(({ id, title: heading }) => (
                    <li key={id}>
                      <MuiLink
                        component={Link}
                        to={`${docPath(page)}#${id}`}
                        variant="caption"
                        underline="hover"
                        sx={entry}
                      >
                        {heading}
                      </MuiLink>
                    </li>
                  ))}
              </Box>
            )}
          </li>
        ))}
      </Box>
    </Box>
  ));
  return (
    <Box component="nav" aria-label={t("docs.contents")} sx={nav}>
      <Button
        variant="text"
        aria-expanded={isOpen}
        aria-controls={title}
        endIcon={<Icon glyph={isOpen ? ChevronUp : ChevronDown} />}
        onClick={() => setIsOpen(!isOpen)}
        sx={{ display: { md: "none" }, ml: -3 }}
      >
        {t("docs.contents")}
      </Button>
      <Box id={title} sx={{ display: { xs: isOpen ? "block" : "none", md: "block" } }}>
        {lists}
      </Box>
    </Box>
  );
}

const frame = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "220px minmax(0, 800px)" },
  alignItems: "start",
  justifyContent: "center",
  columnGap: 16,
  rowGap: 6,
  px: { xs: 4, sm: 6 },
  pt: { xs: 4, sm: 8 },
  pb: 20,
} as const;
const nav = {
  displayPrint: "none",
  position: { md: "sticky" },
  top: 24,
  maxHeight: { md: "calc(100dvh - 48px)" },
  overflowY: { md: "auto" },
} as const;
const bare = { listStyle: "none", m: 0, p: 0 } as const;
/** Tall enough for a finger on a phone. */
const entry = {
  display: "block",
  py: { xs: 3, md: 1 },
  color: "text.secondary",
  overflowWrap: "anywhere",
  "&[aria-current]": { color: "primary.main", fontWeight: 550 },
} as const;
