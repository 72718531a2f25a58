import { Box, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import {
  limits,
  maxLength,
  required,
  visible,
  webAddress,
  type Webhook,
  type WebhookEvent,
  webhookEventNames,
  webhookEvents,
} from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import type { webhooks as words } from "../../en/webhooks.ts";
import { createWebhook, editWebhook } from "./webhooks.queries.ts";

type Names = typeof words.webhooks.names;
type Noun = keyof Names;
type Chosen = { [N in Noun]: Record<keyof Names[N] & string, boolean> };

const nouns = Object.keys(webhookEvents) as Noun[];
const verbsOf = (noun: Noun): string[] => webhookEvents[noun].map((event) => event.slice(noun.length + 1));
const isChosen = (chosen: Chosen, event: WebhookEvent): boolean => {
  const [noun, verb = ""] = event.split(".");
  return (chosen[noun as Noun] as Record<string, boolean>)[verb] ?? false;
};
const chosenOf = (events: readonly WebhookEvent[]) =>
  Object.fromEntries(
    nouns.map((noun) => [
      noun,
      Object.fromEntries(
        verbsOf(noun).map((verb) => [verb, (events as readonly string[]).includes(`${noun}.${verb}`)]),
      ),
    ]),
  ) as Chosen;

interface Props {
  /** The one that is changed; a new one without. */
  webhook?: Webhook | undefined;
  onClose: () => void;
  onCreated?: (created: Webhook & { secret: string }) => void;
}

/** Asks where messages go, and of what. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: create } = useMutation(createWebhook);
  const { mutateAsync: edit } = useMutation(editWebhook);
  const form = useAppForm<{ url: string; description: string; events: Chosen }>({
    initial: {
      url: webhook?.url ?? "",
      description: webhook?.description ?? "",
      events: chosenOf(webhook?.events ?? []),
    },
    rules: {
      url: [required, (url) => webAddress(url.trim())],
      description: [maxLength(limits.textLength), visible],
    },
    async send({ url, description, events: chosen }) {
      const events = webhookEventNames.filter((event) => isChosen(chosen, event));
      const body = { url: url.trim(), description: description.trim(), events };
      if (webhook) await edit({ uuid: webhook.uuid, ...body });
      const created = webhook ? undefined : await create(body);
      onClose();
      if (created) onCreated?.(created);
    },
    *check({ events: chosen }) {
      if (!webhookEventNames.some((event) => isChosen(chosen, event)))
        yield ["events.instance.created", { message: t("webhooks.form.noEvents") }];
    },
    refusalOf: (code) => {
      if (code === "WEBHOOK_ADDRESS_REFUSED") return { field: "url", says: t("errors.webhookAddress") };
      return t(code === "TOO_MANY_WEBHOOKS" ? "errors.tooManyWebhooks" : "errors.saveWebhook");
    },
  });
  return (
    <FormDialog
      title={t(webhook ? "webhooks.form.edit" : "webhooks.form.create")}
      form={form}
      submit={t(webhook ? "webhooks.form.save" : "webhooks.form.submit")}
      busy={t("webhooks.form.busy")}
      onClose={onClose}
      width={560}
    >
      <TextField
        form={form}
        name="url"
        label={t("webhooks.form.url")}
        help={t("webhooks.form.urlHelp")}
        inputMode="url"
        autoComplete="off"
      />
      <TextField
        form={form}
        name="description"
        label={t("webhooks.form.description")}
        max={limits.textLength}
        autoComplete="off"
      />
      {nouns.map((noun) => (
        <Box
          key={noun}
          component="fieldset"
          sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: "grid", gridTemplateColumns: { sm: "1fr 1fr" } }}
        >
          <Typography component="legend" variant="label" sx={{ p: 0, mb: 1 }}>
            {t(`webhooks.form.groups.${noun}`)}
          </Typography>
          {verbsOf(noun).map((verb) => (
            <CheckboxField
              key={verb}
              form={form}
              name={`events.${noun}.${verb}` as "events.instance.created"}
              label={t(`webhooks.names.${noun}.${verb}` as "webhooks.names.instance.created")}
            />
          ))}
        </Box>
      ))}
    </FormDialog>
  );
}
