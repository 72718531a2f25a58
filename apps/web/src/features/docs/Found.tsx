import { Box, Link as MuiLink, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { visuallyHidden } from "../../components/hidden.ts";
import { docPath, searchDocs, wholeDocs } from "./doc-pages.ts";

/** The sections of all pages that have what is searched. */
export function Found({ search }: { search: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(wholeDocs);
  if (error)
    return (
      <ErrorState title={t("docs.failed")} help={t("docs.failedHelp")} error={error} onRetry={() => void refetch()} />
    );
  if (!data)
    return (
      <Delayed>
        <Skeleton variant="rounded" height={480} component="output" aria-label={t("docs.searching")} />
      </Delayed>
    );
  const { count, first } = searchDocs(data, search);
  return (
    <>
      <Typography variant="h1" sx={{ mb: 6 }}>
        {t("docs.found", { count })}
      </Typography>
      {count === 0 && <EmptyState title={t("docs.nothing")} help={t("docs.nothingHelp")} />}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 5 }}>
        {first.map(({ page, id, title, around }) => (
          <li key={`${page.name} ${id}`}>
            <MuiLink component={Link} to={`${docPath(page)}#${id}`} variant="h3">
              {title}
            </MuiLink>
            <Typography variant="caption" component="p" color="textSecondary" sx={{ m: 0 }}>
              {t(`docs.pages.${page.name}`)}
            </Typography>
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
              {around}
            </Typography>
          </li>
        ))}
      </Box>
    </>
  );
}

/** Says how many were found. Screen readers hear only what changes in something that has been there before. */
export function FoundCount({ search }: { search: string | null }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...wholeDocs, enabled: Boolean(search) });
  return (
    <Box component="output" sx={visuallyHidden}>
      {search && data && t("docs.found", { count: searchDocs(data, search).count })}
    </Box>
  );
}
