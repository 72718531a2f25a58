import { Box, Button, type ButtonProps } from "@mui/material";
import LoaderCircle from "lucide-react/icons/loader-circle";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect, useRef } from "react";
import { Icon } from "../Icon.tsx";
import type { AppForm } from "./app-form.ts";
import { useFormState } from "./use-form.ts";

interface Props<Values extends object> {
  form: AppForm<Values>;
  /** The fields. A form that only asks for a yes has none. */
  children?: React.ReactNode;
  /** The button that sends it, unless that stands elsewhere, as in a dialog. */
  submit?: React.ReactNode;
  /** The page is there for this form: its first field, or else its button, has the focus from the beginning. */
  takesFocus?: boolean;
}

/** Fields, and below them what the service said of the form as a whole: there one looks next. */
export function Form<Values extends object>({ form, children, submit, takesFocus = false }: Props<Values>) {
  const refusal = useFormState(form, (state) => state.refusal);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const form = element.current;
    // Whoever was in a field before the page's code had come stays there.
    if (!takesFocus || form?.contains(document.activeElement)) return;
    form?.querySelector<HTMLElement>("input:not([hidden]), button")?.focus();
  }, [takesFocus]);
  return (
    <Box
      component="form"
      ref={element}
      id={form.id}
      // Without scripts a browser sends it itself, and by default writes what was typed into the address.
      method="post"
      noValidate
      onSubmit={form.submit}
      sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 3 }}
    >
      {children}
      {refusal && (
        <Box role="alert" ref={showAtOnce} sx={alert}>
          <Icon glyph={TriangleAlert} size={18} />
          {refusal}
        </Box>
      )}
      {submit}
    </Box>
  );
}

/** As MUI's `Alert`, whose code sign-in would have to load. */
const alert = {
  typography: "body2",
  display: "flex",
  alignItems: "center",
  gap: 2,
  px: 3,
  py: 2,
  border: "1px solid currentColor",
  borderRadius: "4px",
  bgcolor: "error.soft",
  color: "error.main",
  scrollMargin: "20px",
} as const;

/** Where a form scrolls, what was refused may be out of sight. */
const showAtOnce = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: "nearest" });

interface SubmitProps<Values extends object> extends Omit<ButtonProps, "form"> {
  form: AppForm<Values>;
  /** What it says while it is under way. */
  busy: string;
}

/** Sends its form, from wherever it stands. While that is under way it says so, and the focus stays on it. */
export function SubmitButton<Values extends object>({ form, busy, children, ...button }: SubmitProps<Values>) {
  const isBusy = useFormState(form, (state) => state.isBusy);
  return (
    <Button
      type="submit"
      form={form.id}
      variant="contained"
      color="primary"
      aria-disabled={isBusy || undefined}
      {...button}
    >
      {isBusy && <Icon glyph={LoaderCircle} spins />}
      {isBusy ? busy : children}
    </Button>
  );
}
