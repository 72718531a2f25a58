import { Box, Link, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
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
  const location = useLocation();
  const { hash } = location;
  const { data, error, refetch } = useQuery(apiDocument);
  // The browser looked for it before the document was here.
  useEffect(() => {
    const target = data && document.getElementById(location.hash.slice(1));
    target?.scrollIntoView();
    (target?.querySelector("summary") ?? target)?.focus({ preventScroll: true });
  }, [location, data]);
  if (error)
    return (
      <ErrorState title={t("docs.failed")} help={t("docs.failedHelp")} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <Delayed>{waiting}</Delayed>;
  return (
    <Box component="article" sx={text}>
      <Typography variant="figure" component="h1" sx={{ color: "text.primary" }}>
        {t("docs.pages.api")}
      </Typography>
      <Typography sx={{ my: 4 }}>
        <Prose>{data.info.description}</Prose>
      </Typography>
      <Typography>
        <Link href="/cloud/openapi.json" target="_blank" sx={{ color: "primary.main" }}>
          {t("docs.api.document")}
        </Link>
      </Typography>
      {operationsByTag(data).map(({ id, title, description, operations }) => (
        <section key={id} aria-labelledby={id}>
          <Typography
            id={id}
            tabIndex={-1}
            variant="h1"
            component="h2"
            sx={{ color: "text.primary", mt: 10, mb: 3, scrollMarginTop: 24, "&:focus": { outline: "none" } }}
          >
            {title}
          </Typography>
          {description && (
            <Typography sx={{ mb: 3 }}>
              <Prose>{description}</Prose>
            </Typography>
          )}
          {/* One that the address comes to name begins anew, open. */}
          {operations.map((operation) => (
            <OperationEntry
              key={`${operation.operationId} ${hash === `#${operation.operationId}`}`}
              operation={operation}
              document={data}
              isMeant={hash === `#${operation.operationId}`}
            />
          ))}
        </section>
      ))}
    </Box>
  );
}

const text = {
  color: "text.secondary",
  overflowWrap: "anywhere",
  "& code": { typography: "mono", color: "text.primary" },
} as const;

interface EntryProps {
  operation: Operation;
  document: ApiDocument;
  isMeant: boolean;
}

function OperationEntry({ operation, document, isMeant }: EntryProps) {
  const { operationId: id, method, path, summary } = operation;
  const [isOpen, setOpen] = useState(isMeant);
  return (
    <Box
      component="details"
      id={id}
      open={isOpen}
      onToggle={(event: React.ToggleEvent) => setOpen(event.newState === "open")}
      sx={{ borderTop: 1, borderColor: "divider", scrollMarginTop: 24 }}
    >
      <Box component="summary" sx={{ ml: 4, py: 3, cursor: "pointer", listStylePosition: "outside" }}>
        <Box component="code" sx={{ display: { xs: "block", sm: "inline" }, mr: 3 }}>
          <b>{method}</b> {path}
        </Box>
        <Prose>{summary}</Prose>
      </Box>
      {isOpen && <OperationDetails operation={operation} named={document.components.schemas} />}
    </Box>
  );
}
