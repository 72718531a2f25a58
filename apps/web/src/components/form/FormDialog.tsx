import { Button } from "@mui/material";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../AppDialog.tsx";
import { focusWhenShown } from "../focus-when-shown.ts";
import { Form, SubmitButton } from "./Form.tsx";
import type { AppForm } from "./app-form.ts";

interface Props<Values extends object> {
  title: string;
  form: AppForm<Values>;
  /** The act itself: "Create recipe". */
  submit: string;
  busy: string;
  onClose: () => void;
  /** The words for not doing it, where "Cancel" could be taken for the act. */
  dismiss?: string | undefined;
  /** What is lost cannot be had back: the button says so, and the focus starts at Cancel. */
  isDestructive?: boolean;
  width?: number;
  children: React.ReactNode;
}

/** Asks for what is needed to create, change, copy or delete something. What is refused is said in it, and it stays open. */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const { title, form, submit, busy, onClose, dismiss, isDestructive = false, width = 440, children } = props;
  const { t } = useTranslation();
  return (
    <AppDialog
      title={title}
      onClose={onClose}
      width={width}
      actions={
        <>
          <Button variant="text" onClick={onClose} ref={isDestructive ? focusWhenShown : undefined}>
            {dismiss ?? t("common.cancel")}
          </Button>
          <SubmitButton form={form} busy={busy} color={isDestructive ? "error" : "primary"}>
            {submit}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} takesFocus={!isDestructive}>
        {children}
      </Form>
    </AppDialog>
  );
}
