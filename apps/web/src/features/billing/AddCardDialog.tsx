import "../../en/payments.ts";
import { Alert, Box, Button, Skeleton, Typography, useColorScheme } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type CardSetup, required, type SandboxCard, sandboxCards } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import type { TFunction } from "i18next";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { useAppForm } from "../../components/form/use-form.ts";
import { money } from "../../components/money.ts";
import { publicSettings } from "../../session/settings.ts";
import { loadStripe, type Stripe } from "../../shared/payments/stripe.ts";
import { brandName } from "./card-name.ts";
import { addCard, cardSetup } from "./payments.queries.ts";

/** Asks for a card, in the payment provider's own form: its number goes from the browser to the provider. */
export function AddCardDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(cardSetup);
  if (data?.provider === "sandbox") return <SandboxForm onClose={onClose} />;
  if (data) return <StripeForm setup={data} onClose={onClose} />;
  const isNotHere = error instanceof AppError && error.code === "PAYMENTS_NOT_AVAILABLE";
  return (
    <AppDialog title={t("payments.add.title")} onClose={onClose} dismiss={t("common.cancel")}>
      {error ? (
        <Alert severity="error">{t(isNotHere ? "payments.add.errors.notHere" : "payments.add.errors.setup")}</Alert>
      ) : (
        <Skeleton
          variant="rounded"
          animation={false}
          height={96}
          component="output"
          aria-label={t("payments.add.preparing")}
        />
      )}
    </AppDialog>
  );
}

/** Adds a card by the provider's name for it; `words` are the bank's own if it refused. */
function useAdd(onClose: () => void) {
  const { t } = useTranslation();
  const { mutateAsync } = useMutation(addCard);
  const words = useRef("");
  return {
    add: async (token: string) => {
      try {
        await mutateAsync(token);
        onClose();
      } catch (error) {
        words.current = error instanceof AppError ? error.message : "";
        throw error;
      }
    },
    refusalOf: (code: AppError["code"] | undefined): string => {
      if (code === "CARD_REFUSED") return words.current;
      if (code === "CARD_PREPAID") return t("payments.add.errors.prepaid");
      return t(code === "TOO_MANY_CARDS" ? "payments.add.errors.most" : "payments.add.errors.add");
    },
  };
}

/** What is done to verify a card. */
function Hold() {
  const { t } = useTranslation();
  const { data } = useQuery(publicSettings);
  const amount = data?.offer.card_hold_cents ?? 0;
  return amount > 0 ? (
    <Typography variant="body2" color="textSecondary">
      {t("payments.add.hold", { amount: money(amount, data?.offer.currency) })}
    </Typography>
  ) : null;
}

interface CardFormProps<Values extends object> {
  form: AppForm<Values>;
  onClose: () => void;
  children: React.ReactNode;
}

function CardForm<Values extends object>(props: CardFormProps<Values>) {
  const { t } = useTranslation();
  const words = { title: t("payments.add.title"), submit: t("payments.add.submit"), busy: t("payments.add.busy") };
  return <FormDialog {...words} {...props} width={520} />;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");
const inGroups = ({ number }: SandboxCard): string =>
  number.replaceAll(number.length === 15 ? /^(.{4})(.{6})/g : /(.{4})(?=.)/g, number.length === 15 ? "$1 $2 " : "$1 ");
const cardOf = (number: string): SandboxCard | undefined =>
  sandboxCards.find((card) => card.number === digitsOf(number));

/** The numbers of test cards stand for names, which alone are sent. */
function SandboxForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { add, refusalOf } = useAdd(onClose);
  const form = useAppForm({
    initial: { number: "" },
    rules: {
      number: [required, (number) => (cardOf(number) ? undefined : { message: t("payments.add.unknown") })],
    },
    send: ({ number }) => add(cardOf(number)?.name ?? ""),
    refusalOf: (code) => ({ field: "number", says: refusalOf(code) }),
  });
  return (
    <CardForm form={form} onClose={onClose}>
      <Typography variant="body2">{t("payments.add.sandbox")}</Typography>
      <TextField
        form={form}
        name="number"
        label={t("payments.add.number")}
        help={t("payments.add.numberHelp")}
        inputMode="numeric"
        autoComplete="off"
      />
      <Hold />
      <Box component="ul" aria-label={t("payments.add.cards")} sx={list}>
        {sandboxCards.map((card) => (
          <Box component="li" key={card.name} sx={choice}>
            <Button variant="text" size="small" sx={numberOf} onClick={() => form.set("number", inGroups(card))}>
              {inGroups(card)}
            </Button>
            <Typography variant="body2" color="textSecondary">
              {sayCard(t, card)}
            </Typography>
          </Box>
        ))}
      </Box>
    </CardForm>
  );
}

/** The outcome of a card: its brand if it is accepted, otherwise what the bank will say. */
function sayCard(t: TFunction, { brand, funding, does, says }: SandboxCard): string {
  if (funding === "prepaid") return t("payments.add.does.prepaid");
  if (does === "refused") return says ?? t("payments.add.does.refused");
  return t(`payments.add.does.${does}`, { brand: brandName(t, brand) });
}

const list = { listStyle: "none", m: 0, p: 0, display: "grid" } as const;
const choice = {
  display: "grid",
  gridTemplateColumns: "minmax(164px, max-content) minmax(0, 1fr)",
  alignItems: "center",
  columnGap: 2,
} as const;
/** It begins where the lines above do. */
const numberOf = { justifySelf: "start", ml: -2, px: 2, fontVariantNumeric: "tabular-nums" } as const;

/** Stripe's own form, in a frame of Stripe's. */
function StripeForm({ setup, onClose }: { setup: CardSetup; onClose: () => void }) {
  const { t } = useTranslation();
  const { add, refusalOf } = useAdd(onClose);
  const { mode, systemMode } = useColorScheme();
  const theme = (mode === "system" ? systemMode : mode) === "dark" ? "night" : "stripe";
  const element = useRef<HTMLDivElement>(null);
  const opened = useRef<{ stripe: Stripe; elements: ReturnType<Stripe["elements"]> }>(undefined);
  const [hasFailed, setFailed] = useState(false);
  const said = useRef("");
  const { client_secret: clientSecret, publishable_key: key } = setup;
  useEffect(() => {
    let end = () => {};
    let isOver = false;
    void loadStripe(key ?? "").then(
      (stripe) => {
        if (isOver || !element.current) return;
        const elements = stripe.elements({ clientSecret, appearance: { theme } });
        const form = elements.create("payment");
        form.mount(element.current);
        opened.current = { stripe, elements };
        end = () => form.destroy();
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      end();
    };
  }, [clientSecret, key, theme]);
  const form = useAppForm({
    initial: {},
    async send() {
      said.current = "";
      if (!opened.current) throw new Error("the form is not there yet");
      const { stripe, elements } = opened.current;
      const { error: unsent } = await elements.submit();
      const { setupIntent, error = unsent } = unsent
        ? {}
        : await stripe.confirmSetup({
            elements,
            redirect: "if_required",
            confirmParams: { return_url: location.href },
          });
      const method = setupIntent?.payment_method;
      if (error || !method) {
        said.current = error?.message ?? "";
        throw new Error("the card was not set up");
      }
      await add(typeof method === "string" ? method : method.id);
    },
    refusalOf: (code) => said.current || refusalOf(code),
  });
  return (
    <CardForm form={form} onClose={onClose}>
      {hasFailed && <Alert severity="error">{t("payments.add.errors.setup")}</Alert>}
      <Box
        ref={element}
        component="fieldset"
        aria-label={t("payments.add.label")}
        sx={{ minHeight: 220, minWidth: 0, m: 0, p: 0, border: 0 }}
      />
      <Hold />
    </CardForm>
  );
}
