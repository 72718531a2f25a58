import "../../en/webhooks.ts";
import { Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { limits, type Webhook } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { routeRules } from "../../session/routes.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { type WebhookAct, webhookList } from "./webhook-list.tsx";
import { webhookName } from "./webhook-name.ts";
import { WebhookDialog } from "./WebhookDialog.tsx";
import { deleteWebhook, webhooks } from "./webhooks.queries.ts";
import { WebhookSecretDialog } from "./WebhookSecretDialog.tsx";

type Asked =
  | { what: "create" | "most" }
  | { what: "edit" | "delete"; webhook: Webhook }
  | { what: "secret"; webhook: Webhook & { secret: string } };

/** Who is notified of what happens in an organization. */
export default function WebhooksPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { asked, ask, close } = useDialog<Asked>();
  const { data: all = [] } = useQuery(webhooks);
  const { mutate: remove } = useMutation(deleteWebhook);
  const act = (what: WebhookAct, webhook: Webhook) => {
    if (what === "open") void navigate(routeRules.webhook.path.replace(":uuid", webhook.uuid));
    else ask({ what, webhook });
  };
  const list = useList(webhookList, { t, act });
  return (
    <>
      <AdministrationHeader
        action={{
          label: t("webhooks.create"),
          run: () => ask({ what: all.length < limits.webhooks ? "create" : "most" }),
        }}
      />
      <ListView state={list} empty={<EmptyState title={t("webhooks.empty.title")} help={t("webhooks.empty.help")} />} />
      <OpenDialog
        asked={asked}
        dialogs={{
          create: () => <WebhookDialog onClose={close} onCreated={(webhook) => ask({ what: "secret", webhook })} />,
          edit: ({ webhook }) => <WebhookDialog webhook={webhook} onClose={close} />,
          secret: ({ webhook }) => (
            <WebhookSecretDialog webhook={webhook} help={t("webhooks.secret.help")} onClose={close} />
          ),
          most: () => (
            <AppDialog
              title={t("webhooks.most.title", { count: all.length })}
              onClose={close}
              dismiss={t("webhooks.most.back")}
            >
              <Typography color="textSecondary">{t("webhooks.most.help")}</Typography>
            </AppDialog>
          ),
          delete: ({ webhook }) => (
            <ConfirmDialog
              isDestructive
              title={t("webhooks.deleteDialog.title", { name: webhookName(webhook) })}
              confirm={t("webhooks.deleteDialog.confirm")}
              onClose={close}
              onConfirm={() => {
                close();
                remove(webhook);
              }}
            >
              <Typography color="textSecondary">{t("webhooks.deleteDialog.help")}</Typography>
            </ConfirmDialog>
          ),
        }}
      />
    </>
  );
}
