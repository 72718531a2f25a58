import { Box, IconButton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { AppError } from "@terrarium/sdk";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { mail } from "./mailbox.queries.ts";

interface Props {
  uuid: string;
  /** The list is not in sight: there is a way back to it. */
  isAlone: boolean;
}

/** A mail, as its reader's program would show it, or as plain text. */
export function Message({ uuid, isAlone }: Props) {
  const { t } = useTranslation();
  const [form, setForm] = useState<"html" | "text">("html");
  const { data, error, refetch } = useQuery(mail(uuid));
  if (error instanceof AppError && error.status < 500)
    return <EmptyState title={t("mailbox.gone.title")} help={t("mailbox.gone.help")} />;
  if (error) {
    const retry = () => void refetch();
    return (
      <ErrorState title={t("mailbox.failed.title")} help={t("mailbox.failed.help")} error={error} onRetry={retry} />
    );
  }
  if (!data) return null;
  const forms = (["html", "text"] as const).map((value) => ({ value, label: t(`mailbox.forms.${value}`) }));
  return (
    <Box
      component="article"
      aria-label={data.subject}
      sx={{ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" }}
    >
      <Box sx={head}>
        {isAlone && (
          <IconButton component={Link} to="/mailbox" edge="start" aria-label={t("mailbox.back")}>
            <Icon glyph={ArrowLeft} />
          </IconButton>
        )}
        <Box sx={{ flex: "1 1 200px", minWidth: 0, overflowWrap: "anywhere" }}>
          <Typography variant="h2">{data.subject}</Typography>
          <Typography variant="caption" component="div" sx={{ color: "text.tertiary" }}>
            {t("mailbox.to", { address: data.to })}
          </Typography>
        </Box>
        <Segmented label={t("mailbox.form")} value={form} onChange={setForm} choices={forms} />
      </Box>
      {form === "html" ? (
        // No scripts, and no part in our origin; links open in a tab of their own.
        <Box
          component="iframe"
          title={t("mailbox.message")}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={`<base target="_blank">${data.html}`}
          sx={{ flex: 1, minHeight: 520, border: 0, bgcolor: "#F4F7F5" }}
        />
      ) : (
        <Typography
          variant="mono"
          component="pre"
          sx={{ m: 0, p: 4, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
        >
          {data.text}
        </Typography>
      )}
    </Box>
  );
}

const head = {
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 3,
  px: 4,
  py: 3,
  borderBottom: "1px solid var(--mui-palette-divider)",
} as const;
