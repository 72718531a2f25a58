import { Box, Button } from "@mui/material";
import PhoneIcon from "lucide-react/icons/phone";
import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../../components/form/Form.tsx";
import { TextField } from "../../../components/form/TextField.tsx";
import { useAppForm } from "../../../components/form/use-form.ts";
import { snack } from "../../../components/snack-queue.ts";
import { gadget, type PanelProps, type Send } from "./gadget.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";

const WIDTH = 300;
const NUMBER = /^\+?[0-9*#]{1,32}$/;
const MAX_TEXT = 1000;

function PhonePanel({ anchor, send, onClose }: PanelProps<never>) {
  const { t } = useTranslation();
  return (
    <GadgetPopover anchor={anchor} title={t("display.phone.title")} width={WIDTH} onClose={onClose}>
      <PhoneForm send={send} onClose={onClose} />
    </GadgetPopover>
  );
}

function PhoneForm({ send, onClose }: { send: Send; onClose: () => void }) {
  const { t } = useTranslation();
  const wrongNumber = (number: string) =>
    NUMBER.test(number.trim()) ? undefined : { message: t("display.phone.wrongNumber") };
  const baseband = (command: string, done: string) => {
    send({ channel: "baseband", messages: [command] });
    snack("success", done);
    onClose();
  };
  const form = useAppForm({
    initial: { number: "", text: "" },
    rules: {
      number: [wrongNumber],
      text: [
        (text: string) => {
          const isGood = text.trim() !== "" && text.length <= MAX_TEXT;
          return isGood ? undefined : { message: t("display.phone.wrongText", { max: MAX_TEXT }) };
        },
      ],
    },
    send: async ({ number, text }) => baseband(`sms send ${number.trim()} ${text}`, t("display.phone.sent")),
    refusalOf: () => t("display.gadgets.failed"),
  });
  const call = () => {
    const { number } = form.read().values;
    form.check("number");
    if (!wrongNumber(number)) baseband(`gsm call ${number.trim()}`, t("display.phone.called"));
  };
  return (
    <Box sx={{ mt: "12px", "& form": { gap: "12px" } }}>
      <Form form={form}>
        <TextField form={form} name="number" label={t("display.phone.number")} inputMode="tel" autoComplete="off" />
        <TextField
          form={form}
          name="text"
          label={t("display.phone.text")}
          max={MAX_TEXT}
          multiline
          minRows={2}
          maxRows={5}
        />
        <Box sx={{ display: "flex", justifyContent: "space-between", gap: "8px" }}>
          <Button onClick={call}>{t("display.phone.call")}</Button>
          <SubmitButton form={form} busy={t("display.phone.send")}>
            {t("display.phone.send")}
          </SubmitButton>
        </Box>
      </Form>
    </Box>
  );
}

/** Calls and text messages that reach the device. */
export const phone = gadget({
  name: "phone",
  glyph: PhoneIcon,
  shortcut: "c",
  group: "more",
  capability: "phone",
  usualOn: [],
  panel: { Panel: PhonePanel, size: roomOf(WIDTH, 280), channels: [], read: () => undefined },
});
