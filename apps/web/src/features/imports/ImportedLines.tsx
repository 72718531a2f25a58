import { Alert, Box, Typography } from "@mui/material";
import type { ImportResult } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FactList } from "../../components/FactList.tsx";
import { Tag } from "../../components/Tag.tsx";
import { listRow, rowList } from "../../shared/row-list.ts";

/** How many lines come to what, which groups get users, and which lines fail. */
export function ImportedLines({ result, isDone }: { result: ImportResult; isDone: boolean }) {
  const { t } = useTranslation();
  const { added, unchanged, failed, groups, failures, sheet } = result;
  return (
    <Box sx={{ display: "grid", gap: 4 }}>
      {isDone && failed > 0 && (
        <Alert severity="warning">
          {t("imports.failed", { count: failed })}. {t("imports.others")}
        </Alert>
      )}
      {sheet && sheet.others > 0 && (
        <Alert severity="info">{t("imports.sheet", { name: sheet.name, count: sheet.others })}</Alert>
      )}
      <FactList>
        {[
          [t(isDone ? "imports.facts.added" : "imports.facts.toAdd"), added],
          [t("imports.facts.unchanged"), unchanged],
          [t("imports.facts.failed"), failed],
        ].map(([name, count]) => (
          <Box key={name} sx={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd>{count!.toLocaleString("en")}</dd>
          </Box>
        ))}
      </FactList>
      {added === 0 && !isDone && <Typography color="textSecondary">{t("imports.nothing")}</Typography>}
      {groups.length > 0 && (
        <Section title={t("imports.preview")}>
          {groups.map(({ name, added: count, is_new }) => (
            <Box component="li" key={name} sx={{ ...listRow, minHeight: 40 }}>
              <Typography variant="body2" noWrap title={name} sx={{ flex: 1, minWidth: 0, fontWeight: 550 }}>
                {name}
              </Typography>
              {is_new && <Tag>{t("imports.isNew")}</Tag>}
              <Typography variant="body2" color="textSecondary">
                {t("imports.users", { count })}
              </Typography>
            </Box>
          ))}
        </Section>
      )}
      {failures.length > 0 && (
        <Section title={isDone ? t("imports.failures") : t("imports.wouldFail", { count: failed })}>
          {failures.map(({ line, email, group, reason }) => (
            <Box component="li" key={line} sx={{ ...listRow, minHeight: 40, flexWrap: "wrap", py: 1.5, rowGap: 0 }}>
              <Typography variant="body2" sx={{ color: "text.tertiary" }}>
                {t("imports.line", { line })}
              </Typography>
              <Typography variant="body2" noWrap title={`${email} ${group}`} sx={{ flex: 1, minWidth: 120 }}>
                {[email, group].filter(Boolean).join(" · ") || "–"}
              </Typography>
              <Typography variant="body2" color="error">
                {t(`imports.reasons.${reason}`)}
              </Typography>
            </Box>
          ))}
        </Section>
      )}
      {failed > failures.length && (
        <Typography variant="caption" sx={{ color: "text.tertiary" }}>
          {t("imports.more", { count: failures.length })}
        </Typography>
      )}
    </Box>
  );
}

const Section = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Box component="section">
    <Typography variant="label" component="h3" sx={{ mb: 2 }}>
      {title}
    </Typography>
    <Box component="ul" aria-label={title} tabIndex={0} sx={{ ...rowList, maxHeight: 220 }}>
      {children}
    </Box>
  </Box>
);
