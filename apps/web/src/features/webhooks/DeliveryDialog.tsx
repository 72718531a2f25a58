import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { WebhookAttempt } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { answerOf, DeliveryState } from "./DeliveryState.tsx";
import { deliveryOf } from "./webhooks.queries.ts";

interface Props {
  webhook: string;
  delivery: string;
  onClose: () => void;
  /** Missing where nothing can be sent. */
  onReplay: (() => void) | undefined;
}

/** A delivery: what was sent, and the outcome of each attempt. */
export function DeliveryDialog({ webhook, delivery, onClose, onReplay }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(deliveryOf(webhook, delivery));
  return (
    <AppDialog
      title={data?.type ?? t("webhooks.delivery.payload")}
      onClose={onClose}
      width={720}
      isLarge
      dismiss={t("common.close")}
      {...(onReplay &&
        data && {
          actions: (
            <Button variant="contained" color="primary" onClick={onReplay}>
              {t("webhooks.delivery.replay")}
            </Button>
          ),
        })}
    >
      {error && !data && (
        <ErrorState
          title={t("errors.fetchDelivery")}
          help={t("webhooks.delivery.unread")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && (
        <Delayed>
          <Skeleton variant="rounded" height={240} />
        </Delayed>
      )}
      {data && (
        <Box sx={{ display: "grid", gap: 4, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Box sx={{ display: "flex", gap: 3, alignItems: "center", flexWrap: "wrap" }}>
            <DeliveryState state={data.state} />
            {data.at && <RelativeTime time={data.at} />}
            <Typography variant="mono" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
              {t("webhooks.delivery.id")} {data.uuid}
            </Typography>
          </Box>
          <Part title={t("webhooks.delivery.payload")}>
            <Code text={JSON.stringify(JSON.parse(data.payload), null, 2)} label={t("webhooks.delivery.payload")} />
          </Part>
          <Part title={t("webhooks.delivery.attempts")}>
            {data.log.length === 0 && <Typography color="textSecondary">{t("webhooks.delivery.none")}</Typography>}
            <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 3 }}>
              {data.log.toReversed().map((attempt) => (
                <Attempt key={attempt.at} attempt={attempt} />
              ))}
            </Box>
          </Part>
        </Box>
      )}
    </AppDialog>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation();
  return (
    <li>
      <Typography variant="body2" sx={{ display: "flex", gap: 3, flexWrap: "wrap" }}>
        <strong>{answerOf(attempt, t)}</strong>
        <RelativeTime time={attempt.at} />
        <span>{t("webhooks.delivery.took", { ms: attempt.duration_ms })}</span>
      </Typography>
      {attempt.answer !== "" && <Code text={attempt.answer} label={t("webhooks.delivery.answer")} />}
      {attempt.answer === "" && attempt.status !== null && (
        <Typography variant="body2" color="textSecondary">
          {t("webhooks.delivery.noAnswer")}
        </Typography>
      )}
    </li>
  );
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section>
    <Typography variant="h3" sx={{ mb: 2 }}>
      {title}
    </Typography>
    {children}
  </section>
);

/** Text as it was sent, which scrolls by keyboard as well. */
const Code = ({ text, label }: { text: string; label: string }) => (
  <Box
    component="section"
    tabIndex={0}
    aria-label={label}
    sx={{
      typography: "mono",
      m: 0,
      mt: 1,
      p: 3,
      maxHeight: 280,
      overflow: "auto",
      whiteSpace: "pre-wrap",
      overflowWrap: "anywhere",
      bgcolor: "background.sunken",
      borderRadius: "6px",
    }}
  >
    {text}
  </Box>
);
