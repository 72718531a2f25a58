import "../../en/webhooks.ts";
import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Webhook } from "@terrarium/contract";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { BackLink } from "../../components/links.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { dateTime } from "../../components/dates.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { serviceNow } from "../../components/service-time.ts";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { routeRules } from "../../session/routes.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { deliveryList } from "./delivery-list.tsx";
import { DeliveryDialog } from "./DeliveryDialog.tsx";
import { ReplayFailedDialog } from "./ReplayFailedDialog.tsx";
import { webhookName } from "./webhook-name.ts";
import { WebhookHealth } from "./WebhookHealth.tsx";
import { replayDelivery, rotateSecret, setEnabled, testWebhook, webhooks } from "./webhooks.queries.ts";
import { WebhookSecretDialog } from "./WebhookSecretDialog.tsx";

/** While something is under way, or is tried again soon, its outcome is seconds away. */
const LOOK_AGAIN_MS = 2_000;
const SOON_MS = 60_000;

/** One webhook: its state, and its deliveries. */
export default function WebhookPage() {
  const { t } = useTranslation();
  const { uuid = "" } = useParams();
  const { data, error, refetch } = useQuery(webhooks);
  const webhook = data?.find((one) => one.uuid === uuid);
  return (
    <>
      <AdministrationHeader />
      <Box sx={{ mt: 4 }}>
        <BackLink to={routeRules.webhooks.path}>{t("webhooks.page.back")}</BackLink>
      </Box>
      {webhook && <Log key={uuid} webhook={webhook} />}
      {data && !webhook && <EmptyState title={t("webhooks.page.gone.title")} help={t("webhooks.page.gone.help")} />}
      {!data && !error && (
        <Delayed>
          <Skeleton variant="rounded" animation={false} height={240} aria-busy="true" sx={{ mt: 4 }} />
        </Delayed>
      )}
      {error && !data && (
        <ErrorState
          title={t("errors.fetchWebhooks")}
          help={t("webhooks.unread")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </>
  );
}

function Log({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { uuid } = webhook;
  const isDisabled = webhook.health === "disabled";
  const [address, setAddress] = useSearchParams();
  const shown = address.get("delivery");
  const show = (delivery: string | undefined) =>
    setAddress(
      (params) => {
        const next = new URLSearchParams(params);
        if (delivery === undefined) next.delete("delivery");
        else next.set("delivery", delivery);
        return next;
      },
      { replace: delivery === undefined, preventScrollReset: true },
    );
  const [isReplaying, setReplaying] = useState(false);
  const { mutate: replay } = useMutation(replayDelivery);
  const list = useList(deliveryList, {
    t,
    webhook: uuid,
    isDisabled,
    view: (delivery) => show(delivery.uuid),
    replay: (delivery) => replay({ uuid, delivery: delivery.uuid }),
  });
  const cache = useQueryClient();
  const waiting = list.rows?.filter(({ state }) => state === "waiting") ?? [];
  const due = Math.min(...waiting.map(({ next_at }) => (next_at === null ? 0 : Date.parse(next_at))));
  useEffect(() => {
    if (due === Infinity) return undefined;
    const timer = setInterval(() => {
      if (due - serviceNow() > SOON_MS) return;
      for (const queryKey of [webhooks.queryKey, ["webhook-log", uuid]])
        void cache.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [cache, due, uuid]);
  return (
    <>
      <Standing webhook={webhook} onReplay={() => setReplaying(true)} />
      <ListView
        state={list}
        empty={<EmptyState title={t("webhooks.log.empty.title")} help={t("webhooks.log.empty.help")} />}
      />
      {shown !== null && (
        <DeliveryDialog
          webhook={uuid}
          delivery={shown}
          onClose={() => show(undefined)}
          onReplay={
            isDisabled
              ? undefined
              : () => {
                  replay({ uuid, delivery: shown });
                  show(undefined);
                }
          }
        />
      )}
      {isReplaying && <ReplayFailedDialog webhook={uuid} onClose={() => setReplaying(false)} />}
    </>
  );
}

type Asked = { what: "rotate" | "disable" } | { what: "secret"; webhook: Webhook & { secret: string } };

/** What it is, how it stands, and what can be done about it. */
function Standing({ webhook, onReplay }: { webhook: Webhook; onReplay: () => void }) {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<Asked>();
  const { mutate: test } = useMutation(testWebhook);
  const { mutate: enable } = useMutation(setEnabled);
  const { url, description, health, disabled_reason, failing_since, former_secret_until } = webhook;
  return (
    <Box sx={{ display: "flex", gap: 3, flexWrap: "wrap", alignItems: "center", my: 3 }}>
      <Box sx={{ flex: 1, minWidth: { xs: "100%", sm: 260 } }}>
        <Typography variant="h2" sx={{ overflowWrap: "anywhere" }}>
          {webhookName(webhook)}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
          {description && url}
          {disabled_reason && <span> {t(`webhooks.page.disabled.${disabled_reason}`)}</span>}
          {!disabled_reason && failing_since && (
            <span>
              {" "}
              {t("webhooks.page.failingSince")} <RelativeTime time={failing_since} />
            </span>
          )}
          {former_secret_until && (
            <span>
              {" "}
              {t("webhooks.page.formerSecret")} {dateTime(former_secret_until, "")}
            </span>
          )}
        </Typography>
      </Box>
      <WebhookHealth health={health} />
      <Button variant="outlined" onClick={() => ask({ what: "rotate" })}>
        {t("webhooks.menu.rotate")}
      </Button>
      {disabled_reason ? (
        <Button variant="contained" color="primary" onClick={() => enable({ webhook, is_enabled: true })}>
          {t("webhooks.menu.enable")}
        </Button>
      ) : (
        <>
          <Button variant="outlined" onClick={() => ask({ what: "disable" })}>
            {t("webhooks.menu.disable")}
          </Button>
          <Button variant="outlined" onClick={onReplay}>
            {t("webhooks.page.replayFailed")}
          </Button>
          <Button variant="contained" color="primary" onClick={() => test({ webhook })}>
            {t("webhooks.menu.test")}
          </Button>
        </>
      )}
      <OpenDialog
        asked={asked}
        dialogs={{
          rotate: () => (
            <RotateDialog
              webhook={webhook}
              onClose={close}
              onRotated={(rotated) => ask({ what: "secret", webhook: rotated })}
            />
          ),
          disable: () => (
            <ConfirmDialog
              isDestructive
              title={t("webhooks.disableDialog.title", { name: webhookName(webhook) })}
              confirm={t("webhooks.menu.disable")}
              onClose={close}
              onConfirm={() => {
                close();
                enable({ webhook, is_enabled: false });
              }}
            >
              <Typography color="textSecondary">{t("webhooks.disableDialog.help")}</Typography>
            </ConfirmDialog>
          ),
          secret: (shown) => (
            <WebhookSecretDialog webhook={shown.webhook} help={t("webhooks.secret.rotated")} onClose={close} />
          ),
        }}
      />
    </Box>
  );
}

interface RotateProps {
  webhook: Webhook;
  onClose: () => void;
  onRotated: (rotated: Webhook & { secret: string }) => void;
}

/** Asks before a webhook gets a new secret. It stays until the answer is there, which is the only place that has the secret. */
function RotateDialog({ webhook, onClose, onRotated }: RotateProps) {
  const { t } = useTranslation();
  const { mutateAsync: rotate, isPending } = useMutation(rotateSecret);
  const form = useAppForm({
    initial: {},
    send: async () => onRotated(await rotate(webhook)),
    refusalOf: () => t("errors.rotateWebhook"),
  });
  return (
    <FormDialog
      title={t("webhooks.rotateDialog.title", { name: webhookName(webhook) })}
      form={form}
      submit={t("webhooks.menu.rotate")}
      busy={t("webhooks.form.busy")}
      onClose={() => isPending || onClose()}
    >
      <Typography color="textSecondary">{t("webhooks.rotateDialog.help")}</Typography>
    </FormDialog>
  );
}
