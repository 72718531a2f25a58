import { Box, Link, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Delayed } from "../../../components/Delayed.tsx";
import { ErrorState } from "../../../components/ErrorState.tsx";
import { type ApiDocument, apiDocument, type Operation, operationsByTag } from "./api-document.ts";
import { Prose } from "./Code.tsx";
import { OperationDetails } from "./OperationDetails.tsx";

/** Every operation of the API, closed until somebody wants to know more of it, or its address names it. */
export function ApiReference({ waiting }: { waiting: React.ReactNode }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(apiDocument);
  if (error)
    return (
      <ErrorState title={t("docs.failed")} help={t("docs.failedHelp")} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <Delayed>{waiting}</Delayed>;
  return (
    <Box component="article" sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>
      <Typography variant="figure" component="h1" sx={{ color: "text.primary" }}>
        {t("docs.pages.api")}
      </Typography>
      <Typography sx={{ my: 4 }}>
        <Prose>{data.info.description}</Prose>
      </Typography>
      <Typography>
        <Link href="/cloud/openapi.json" target="_blank">
          {t("docs.api.document")}
        </Link>
      </Typography>
      {operationsByTag(data).map(({ id, title, description, operations }) => (
        <section key={id} aria-labelledby={id}>
          <Typography
            id={id}
            variant="h1"
            component="h2"
            sx={{ color: "text.primary", mt: 10, mb: 3, scrollMarginTop: 24 }}
          >
            {title}
          </Typography>
          {description && (
            <Typography sx={{ mb: 3 }}>
              <Prose>{description}</Prose>
            </Typography>
          )}
          {operations.map((operation) => (
            <OperationEntry key={operation.operationId} operation={operation} document={data} />
          ))}
        </section>
      ))}
    </Box>
  );
}

function OperationEntry({ operation, document }: { operation: Operation; document: ApiDocument }) {
  const { operationId: id, method, path, summary } = operation;
  const { hash } = useLocation();
  const isMeant = hash === `#${id}`;
  const [isOpen, setOpen] = useState(isMeant);
  const entry = useRef<HTMLDetailsElement>(null);
  // The browser looked for it before the document was here.
  useEffect(() => {
    if (!isMeant) return;
    setOpen(true);
    entry.current?.scrollIntoView();
    entry.current?.querySelector("summary")?.focus({ preventScroll: true });
  }, [isMeant]);
  return (
    <Box
      component="details"
      id={id}
      ref={entry}
      open={isOpen}
      onToggle={(event: React.ToggleEvent) => setOpen(event.newState === "open")}
      sx={{ borderTop: 1, borderColor: "divider", scrollMarginTop: 24 }}
    >
      <Box component="summary" sx={{ py: 3, cursor: "pointer" }}>
        <Box component="code" sx={{ typography: "mono", color: "text.primary", mr: 3 }}>
          <b>{method}</b> {path}
        </Box>
        <Prose>{summary}</Prose>
      </Box>
      {isOpen && <OperationDetails operation={operation} named={document.components.schemas} />}
    </Box>
  );
}
