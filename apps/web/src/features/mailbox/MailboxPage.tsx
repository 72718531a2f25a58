import "../../en/mailbox.ts";
import { Box, Button, Paper, Skeleton, Typography, useMediaQuery } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { AppError } from "@terrarium/sdk";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Logo } from "../../shared/glyphs.tsx";
import { mailList } from "./mailbox.queries.ts";
import { MailList } from "./MailList.tsx";
import { Message } from "./Message.tsx";

/** What a demonstration would have mailed. Where it is narrow, the list or one mail. */
export default function MailboxPage() {
  const { t } = useTranslation();
  const { uuid } = useParams();
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down("md"));
  const mails = useQuery(mailList);

  const content = () => {
    if (mails.isPending)
      return (
        <Delayed>
          <Skeleton variant="rounded" height={240} component="output" aria-label={t("mailbox.loading")} />
        </Delayed>
      );
    if (mails.error instanceof AppError && mails.error.code === "ROUTE_NOT_FOUND")
      return <EmptyState title={t("mailbox.closed.title")} help={t("mailbox.closed.help")} />;
    if (!mails.data) {
      const retry = () => void mails.refetch();
      return (
        <ErrorState
          title={t("mailbox.failed.title")}
          help={t("mailbox.failed.help")}
          error={mails.error}
          onRetry={retry}
        />
      );
    }
    const list = mails.data.mails;
    if (list.length === 0 && uuid === undefined)
      return <EmptyState title={t("mailbox.none.title")} help={t("mailbox.none.help")} />;
    return (
      <Box sx={panes}>
        {(!isNarrow || uuid === undefined) && (
          <Paper variant="outlined" sx={{ borderRadius: "10px", overflow: "hidden", alignSelf: "start" }}>
            <MailList mails={list} chosen={uuid} />
          </Paper>
        )}
        {uuid !== undefined && (
          <Paper variant="outlined" sx={{ borderRadius: "10px", overflow: "hidden", display: "flex" }}>
            <Message key={uuid} uuid={uuid} isAlone={isNarrow} />
          </Paper>
        )}
        {uuid === undefined && !isNarrow && (
          <EmptyState title={t("mailbox.choose.title")} help={t("mailbox.choose.help")} />
        )}
      </Box>
    );
  };

  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <Box component="header" sx={{ display: "grid", gap: 2 }}>
        <Box sx={{ display: "flex", alignItems: "center", gap: 3, flexWrap: "wrap" }}>
          <Box sx={{ display: "flex", color: "primary.main" }}>
            <Logo size={24} />
          </Box>
          <Typography variant="h1" sx={{ flex: 1 }}>
            {t("mailbox.title")}
          </Typography>
          <Button component={Link} to="/" variant="text">
            <Icon glyph={ArrowLeft} />
            {t("mailbox.home")}
          </Button>
        </Box>
        <Typography color="textSecondary">{t("mailbox.lead")}</Typography>
      </Box>
      {content()}
    </Box>
  );
}

const page = {
  maxWidth: 1200,
  mx: "auto",
  minHeight: "100dvh",
  px: { xs: 4, sm: 6 },
  py: { xs: 4, sm: 6 },
  display: "flex",
  flexDirection: "column",
  gap: 5,
} as const;
const panes = {
  flex: 1,
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 360px) minmax(0, 1fr)" },
  gap: 4,
} as const;
