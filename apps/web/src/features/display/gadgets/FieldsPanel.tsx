import { Box } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../../components/form/Form.tsx";
import { TextField } from "../../../components/form/TextField.tsx";
import { useAppForm } from "../../../components/form/use-form.ts";
import type { PanelProps } from "./gadget.ts";
import { GadgetPopover } from "./GadgetPopover.tsx";

type Values = Record<string, string>;

export interface Field {
  name: string;
  label: string;
  /** What is said of a value that the device would not take; undefined for one that it would. */
  wrong: (value: string) => string | undefined;
  isNumber?: boolean;
}

interface Props extends Pick<PanelProps<never>, "anchor" | "onClose"> {
  state: Readonly<Record<string, string | undefined>> | undefined;
  title: string;
  /** In pixels. */
  width: number;
  fields: readonly Field[];
  /** A device may take some of the fields only: those that it reports. */
  hasSome?: boolean;
  /** Beside the button that sets them. */
  extra?: (set: (name: string, value: string) => void) => React.ReactNode;
  /** Sends what was typed. */
  onSet: (values: Values) => void;
}

/** Some texts and numbers of a device, set together. What somebody has not edited follows the device. */
export function FieldsPanel({ anchor, title, width, onClose, ...content }: Props) {
  return (
    <GadgetPopover anchor={anchor} title={title} width={width} onClose={onClose}>
      <Fields {...content} onClose={onClose} />
    </GadgetPopover>
  );
}

function Fields({ state, fields, hasSome = false, extra, onSet, onClose }: Omit<Props, "anchor" | "title" | "width">) {
  const { t } = useTranslation();
  const isTaken = (name: string) => !hasSome || state === undefined || state[name] !== undefined;
  const form = useAppForm<Values>({
    initial: Object.fromEntries(fields.map(({ name }) => [name, state?.[name] ?? ""])),
    rules: Object.fromEntries(
      fields.map(({ name, wrong }) => [
        name,
        [
          (value: string) => {
            const message = isTaken(name) ? wrong(value.trim()) : undefined;
            return message === undefined ? undefined : { message };
          },
        ],
      ]),
    ),
    send: async (values) => {
      const taken = Object.entries(values).filter(([name]) => isTaken(name));
      onSet(Object.fromEntries(taken.map(([name, value]) => [name, value.trim()])));
      onClose();
    },
    refusalOf: () => t("display.gadgets.failed"),
  });
  return (
    <Box sx={{ mt: "12px", "& form": { gap: "12px" } }}>
      <Form form={form}>
        <Box sx={{ display: "grid", gridTemplateColumns: fields.length > 3 ? "1fr 1fr" : "1fr", gap: "12px" }}>
          {fields.map(({ name, label, isNumber = false }) => (
            <TextField
              key={name}
              form={form}
              name={name}
              label={label}
              autoComplete="off"
              disabled={!isTaken(name)}
              help={isTaken(name) ? undefined : t("display.gadgets.notTaken")}
              {...(isNumber && { inputMode: "decimal" as const })}
            />
          ))}
        </Box>
        <Box sx={{ display: "flex", justifyContent: "space-between", alignItems: "center", gap: "8px" }}>
          {extra?.((name, value) => form.set(name, value)) ?? <span />}
          <SubmitButton form={form} busy={t("display.gadgets.set")}>
            {t("display.gadgets.set")}
          </SubmitButton>
        </Box>
      </Form>
    </Box>
  );
}
