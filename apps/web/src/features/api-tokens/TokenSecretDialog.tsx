import { Button, Typography } from "@mui/material";
import type { ApiToken } from "@terrarium/contract";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { Icon } from "../../components/Icon.tsx";
import { TextInput } from "../../components/TextInput.tsx";
import { useCopy } from "../../components/use-copy.ts";

export type NewToken = ApiToken & { token: string };

const nothing = () => undefined;

/** Shows a new token, this once. Only its button closes it: a stray press beside it would cost the secret. */
export function TokenSecretDialog({ token, onClose }: { token: NewToken; onClose: () => void }) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy();
  return (
    <AppDialog
      title={t("apiTokens.secret.title")}
      onClose={nothing}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t("apiTokens.secret.done")}
          </Button>
          <Button variant="contained" color="primary" ref={focusWhenShown} onClick={() => copy(token.token)}>
            <Icon glyph={isCopied ? Check : Copy} />
            <span aria-live="polite">{t(isCopied ? "common.copied" : "apiTokens.secret.copy")}</span>
          </Button>
        </>
      }
    >
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {t("apiTokens.secret.help")}
      </Typography>
      <TextInput
        label={t("apiTokens.secret.label", token)}
        value={token.token}
        readOnly
        sx={{ typography: "mono" }}
        onFocus={({ target }) => target.select()}
      />
    </AppDialog>
  );
}
