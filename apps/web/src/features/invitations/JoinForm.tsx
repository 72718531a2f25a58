import { Button, Link as MuiLink } from "@mui/material";
import { passwordRules, required } from "@terrarium/contract";
import type { ErrorCode, Session } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { useOnTheWay } from "../../session/use-on-the-way.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { type Asked, askedBy } from "../../session/second-factor.ts";

interface Props {
  token: string;
  email: string;
  /** Whether there is an account with the address, whose password it is then. */
  hasAccount: boolean;
  onJoined: (session: Session) => Promise<void>;
  onExpired: () => void;
  /** They have joined, and have to confirm the sign-in. */
  onAsked: (asked: Asked) => Promise<void>;
}

const known = [
  "BAD_USERNAME_PASSWORD",
  "PASSWORD_TOO_COMMON",
  "USER_NOT_ENABLED",
  "SIGN_IN_NOT_ALLOWED",
  "MEMBER_ELSEWHERE",
  "TOO_MANY_REQUESTS",
] as const;
const ofPassword: ReadonlySet<ErrorCode | undefined> = new Set(["BAD_USERNAME_PASSWORD", "PASSWORD_TOO_COMMON"]);

/** Joins with a password: a new one, or that of the account that is there. */
export function JoinForm({ token, email, hasAccount, onJoined, onExpired, onAsked }: Props) {
  const { t } = useTranslation();
  const onWay = useOnTheWay();
  const form = useAppForm({
    initial: { password: "", tnc_accepted: hasAccount },
    rules: {
      password: hasAccount ? [required] : [required, ...passwordRules],
      tnc_accepted: [(isAccepted) => (isAccepted ? undefined : { message: t("join.termsRequired") })],
    },
    async send({ password, tnc_accepted }) {
      const body = { password, tnc_accepted, browser_token: knownBrowser.token };
      const joined = await client.invitations
        .accept({ params: { token }, headers: {}, body })
        .catch(async (error: unknown) => {
          const asked = askedBy(error);
          if (!asked) throw error;
          await onAsked(asked);
        });
      if (!joined) return;
      if (joined.browser_token) knownBrowser.remember(joined.browser_token);
      await onJoined(joined);
    },
    refusalOf(code) {
      if (code === "LINK_EXPIRED") onExpired();
      const says = t(`join.errors.${known.find((each) => each === code) ?? "other"}`);
      return ofPassword.has(code) ? { field: "password", says } : says;
    },
  });
  const submit = (
    <>
      <SubmitButton form={form} busy={t("join.busy")} size="large">
        {t("join.submit")}
      </SubmitButton>
      {hasAccount && (
        <Button component={Link} to={onWay("/password-reset")} variant="text" size="large">
          {t("join.forgot")}
        </Button>
      )}
    </>
  );
  return (
    <Form form={form} submit={submit} takesFocus>
      <PasswordField
        form={form}
        name="password"
        label={t(hasAccount ? "join.password" : "join.newPassword")}
        help={hasAccount ? undefined : t("join.rules")}
        autoComplete={hasAccount ? "current-password" : "new-password"}
        reservesLine
      />
      {!hasAccount && <CheckboxField form={form} name="tnc_accepted" label={<Terms />} />}
      <input hidden readOnly autoComplete="username" value={email} />
    </Form>
  );
}

function Terms() {
  const { t } = useTranslation();
  return (
    <>
      {t("join.terms.accept")}{" "}
      <MuiLink component={Link} to="/legal/terms-and-conditions/" target="_blank">
        {t("join.terms.terms")}
      </MuiLink>{" "}
      {t("join.terms.and")}{" "}
      <MuiLink component={Link} to="/legal/privacy-policy/" target="_blank">
        {t("join.terms.privacy")}
      </MuiLink>
    </>
  );
}
