import { Box, Link as MuiLink } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { email, limits, maxLength, required, visible, type Zone, zones } from "@terrarium/contract";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { destinationOf } from "../../session/guards.ts";
import { publicSettings } from "../../session/settings.ts";
import { NewPasswordFields, newPasswordRules } from "../../shared/NewPasswordFields.tsx";
import { TurnstileField } from "../../shared/bot-check/TurnstileField.tsx";
import { useBotCheck } from "../../shared/bot-check/use-bot-check.ts";

/** What was typed that may be shown again. */
export interface Typed {
  email: string;
  organization_name: string;
  /** The first that there is, unless another was chosen. */
  instances_zone: Zone | undefined;
}

interface Props {
  typed: Typed;
  onSent: (typed: Typed) => void;
  /** It came back in place of what had the focus. */
  takesFocus?: boolean;
}

const known = [
  "DISPOSABLE_EMAIL",
  "PASSWORD_TOO_COMMON",
  "ZONE_NOT_AVAILABLE",
  "BOT_CHECK_FAILED",
  "ORIGIN_NOT_ALLOWED",
  "TOO_MANY_REQUESTS",
] as const;
const fieldOf = {
  DISPOSABLE_EMAIL: "email",
  PASSWORD_TOO_COMMON: "password",
  ZONE_NOT_AVAILABLE: "instances_zone",
} as const;

/** Taken over in parts, as the home page is. */
export function SignUpForm({ typed, onSent, takesFocus = false }: Props) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { botCheck, known: knownBotCheck } = useBotCheck();
  const served = useQuery(publicSettings).data?.zones ?? zones;
  const form = useAppForm({
    initial: {
      ...typed,
      instances_zone: typed.instances_zone ?? served[0] ?? zones[0],
      password: "",
      confirm: "",
      terms: false,
      privacy: false,
    },
    rules: {
      email: [required, email],
      organization_name: [maxLength(limits.textLength), visible],
      password: newPasswordRules.password,
      confirm: newPasswordRules.confirm("password"),
      terms: [isAccepted],
      privacy: [isAccepted],
    },
    async send({ password, instances_zone, ...values }) {
      const [address, organization_name] = [values.email.trim(), values.organization_name.trim()];
      const turnstileCaptcha_token = await (await knownBotCheck()).take();
      const body = { email: address, password, organization_name, instances_zone, tnc_accepted: true };
      await client.accounts.create({
        query: { redirect: destinationOf(search) },
        body: { ...body, turnstileCaptcha_token },
      });
      onSent({ email: address, organization_name, instances_zone });
    },
    refusalOf: (code) => {
      const refusal = known.find((each) => each === code);
      const says = t(`signUp.errors.${refusal ?? "other"}`);
      return refusal && refusal in fieldOf ? { field: fieldOf[refusal as keyof typeof fieldOf], says } : says;
    },
  });
  const { instances_zone: chosen } = useValues(form);
  // Where devices ran when it was chosen, and do not any more, is said by the service.
  const offered = zones.filter((zone) => served.includes(zone) || zone === chosen);
  const label = (what: "terms" | "privacy", to: string) => (
    <>
      {t(`signUp.${what}.accept`)}{" "}
      <MuiLink component={Link} to={to} target="_blank">
        {t(`signUp.${what}.link`)}
      </MuiLink>
    </>
  );
  const submit = (
    <SubmitButton form={form} busy={t("signUp.busy")} size="large">
      {t("signUp.submit")}
    </SubmitButton>
  );
  return (
    <Box
      component="fieldset"
      sx={group}
      aria-label={t("signUp.label")}
      onFocus={() => botCheck?.prepare()}
      {...(takesFocus && { tabIndex: -1, ref: focusWhenShown })}
    >
      <Form form={form} submit={submit}>
        <Box sx={fields}>
          <TextField form={form} name="email" label={t("signUp.email")} type="email" autoComplete="username" />
          <TextField
            form={form}
            name="organization_name"
            label={t("signUp.organization")}
            help={t("signUp.organizationHelp")}
            autoComplete="organization"
            max={limits.textLength}
          />
          <NewPasswordFields
            form={form}
            name="password"
            label={t("signUp.password")}
            help={t("signUp.passwordHelp")}
            confirm={t("signUp.confirm")}
          />
          <Suspense>
            <SelectField
              form={form}
              name="instances_zone"
              label={t("signUp.region")}
              help={t("signUp.regionHelp")}
              choices={offered.map((zone) => ({ value: zone, label: t(`signUp.regions.${zone}`) }))}
            />
          </Suspense>
        </Box>
        <Suspense>
          <div>
            <CheckboxField form={form} name="terms" label={label("terms", "/legal/terms-and-conditions/")} />
            <CheckboxField form={form} name="privacy" label={label("privacy", "/legal/privacy-policy/")} />
          </div>
        </Suspense>
        <TurnstileField check={botCheck} />
      </Form>
    </Box>
  );
}

const group = { border: 0, m: 0, p: 0, minWidth: 0, outline: 0 } as const;
const isAccepted = (value: boolean) => (value ? undefined : ({ says: "required" } as const));

const fields = { display: "grid", gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 1fr" }, gap: 4, rowGap: 3 };
