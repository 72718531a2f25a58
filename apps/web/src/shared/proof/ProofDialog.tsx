import { Box, Button, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { ProofField } from "./ProofField.tsx";
import { type ProofOptions, useProofForm } from "./use-proof.ts";

interface Props extends ProofOptions {
  title: string;
  /** What it is for. */
  text: string;
  /** The act itself: "Unlink". */
  submit: string;
  /** What it is called while it is under way. */
  busy?: string;
  /** Then the focus begins at "Cancel". */
  isDestructive?: boolean;
  onClose: () => void;
}

/** Asks somebody to prove who they are before something is done. */
export function ProofDialog({ title, text, submit, busy, isDestructive = false, onClose, ...options }: Props) {
  const { t } = useTranslation();
  const { form, hasPassword } = useProofForm(options);
  return (
    <AppDialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose} ref={isDestructive ? focusWhenShown : undefined}>
            {t("common.cancel")}
          </Button>
          <SubmitButton form={form} busy={busy ?? t("prove.busy")} color={isDestructive ? "error" : "primary"}>
            {submit}
          </SubmitButton>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 4 }}>
        <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
          {text}
        </Typography>
        <Form form={form} takesFocus={!isDestructive && hasPassword === true}>
          <ProofField form={form} hasPassword={hasPassword} />
        </Form>
      </Box>
    </AppDialog>
  );
}
