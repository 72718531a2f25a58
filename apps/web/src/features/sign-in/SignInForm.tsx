import { Box, Button, IconButton, InputAdornment } from "@mui/material";
import { AppError } from "@terrarium/sdk";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { TextInput } from "../../components/TextInput.tsx";
import { isEmailOrEmpty, isGiven } from "../../components/validators.ts";

interface Props {
  signIn: (email: string, password: string) => Promise<void>;
}

const knownErrors = ["BAD_USERNAME_PASSWORD", "USER_NOT_ENABLED", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"] as const;
type KnownError = (typeof knownErrors)[number];

/** What a person types is kept when the service refuses it. */
export function SignInForm({ signIn }: Props) {
  const { t } = useTranslation();
  /** What is wrong with a field is said once one has left it, and of all of them once one has tried. */
  const [left, setLeft] = useState({ email: false, password: false });
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState(false);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [refusal, setRefusal] = useState<string>();

  const emailError = isGiven(email)
    ? isEmailOrEmpty(email)
      ? undefined
      : t("errors.forms.email")
    : t("errors.forms.required");
  const passwordError = password === "" ? t("errors.forms.required") : undefined;

  const submit = async (): Promise<void> => {
    setLeft({ email: true, password: true });
    setRefusal(undefined);
    if (emailError || passwordError) return;
    setBusy(true);
    try {
      await signIn(email.trim(), password);
    } catch (error) {
      const code = error instanceof AppError ? knownErrors.find((known) => known === error.code) : undefined;
      setRefusal(t(`signIn.errors.${code ?? ("other" as KnownError | "other")}`));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Box
      component="form"
      noValidate
      sx={{ display: "grid", gap: 2 }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextInput
        label={t("signIn.email")}
        keepsRoom
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        onBlur={() => setLeft({ ...left, email: true })}
        error={left.email ? emailError : undefined}
      />
      <TextInput
        label={t("signIn.password")}
        keepsRoom
        type={shown ? "text" : "password"}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        onBlur={() => setLeft({ ...left, password: true })}
        error={(left.password ? passwordError : undefined) ?? refusal}
        endAdornment={
          <InputAdornment position="end">
            <IconButton
              size="small"
              edge="end"
              aria-label={t(shown ? "signIn.hide" : "signIn.show")}
              onClick={() => setShown(!shown)}
            >
              <Icon glyph={shown ? EyeOff : Eye} />
            </IconButton>
          </InputAdornment>
        }
      />
      <Button type="submit" variant="contained" color="primary" size="large" disabled={busy}>
        {t(busy ? "signIn.busy" : "signIn.submit")}
      </Button>
    </Box>
  );
}
