import { Button, Typography } from "@mui/material";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useTranslation } from "react-i18next";
import { AppDialog } from "./AppDialog.tsx";
import { focusWhenShown } from "./focus-when-shown.ts";
import { Icon } from "./Icon.tsx";
import { TextInput } from "./TextInput.tsx";
import { useCopy } from "./use-copy.ts";

interface Props {
  secret: string;
  words: { title: string; help: string; label: string; copy: string; done: string };
  onClose: () => void;
}

const nothing = () => undefined;

/** Shows a new secret, this once. Only its button closes it: a stray press beside it would cost the secret. */
export function SecretDialog({ secret, words, onClose }: Props) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy();
  return (
    <AppDialog
      title={words.title}
      onClose={nothing}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {words.done}
          </Button>
          <Button variant="contained" color="primary" ref={focusWhenShown} onClick={() => copy(secret)}>
            <Icon glyph={isCopied ? Check : Copy} />
            <span aria-live="polite">{isCopied ? t("common.copied") : words.copy}</span>
          </Button>
        </>
      }
    >
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {words.help}
      </Typography>
      <TextInput
        label={words.label}
        value={secret}
        readOnly
        sx={{ typography: "mono" }}
        onFocus={({ target }) => target.select()}
      />
    </AppDialog>
  );
}
