import { Button, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { limits, maxLength, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { dateTime } from "../../components/dates.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { Facts } from "./Facts.tsx";
import { moveClock, serviceClock } from "./operator.queries.ts";
import { ReasonField } from "./ReasonField.tsx";

const HOUR_SECONDS = 60 * 60;
const hoursIn = { days: 24, hours: 1 };
type Unit = keyof typeof hoursIn;

/** What time it is for the service, and the way to move it where that is possible. */
export function ServiceClock({ onMove }: { onMove: () => void }) {
  const { t } = useTranslation();
  const { data: clock } = useQuery(serviceClock);
  const hours = Math.floor((clock?.ahead_seconds ?? 0) / HOUR_SECONDS);
  return (
    <Facts
      title={t("operator.run.clock")}
      mark={
        clock?.is_movable && (
          <Button variant="outlined" onClick={onMove}>
            {t("operator.run.move")}
          </Button>
        )
      }
      facts={[
        [t("operator.run.now"), dateTime(clock?.now, t("common.none"))],
        [t("operator.run.ahead"), t("operator.run.aheadBy", { days: Math.floor(hours / 24), hours: hours % 24 })],
      ]}
    >
      {clock?.is_movable === false && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
          {t("operator.run.fixed")}
        </Typography>
      )}
    </Facts>
  );
}

/** Asks how far the clock is moved, and why. */
export function MoveClockDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: move } = useMutation(moveClock);
  const mostOf = (unit: Unit) => limits.clockMoveHours / hoursIn[unit];
  const initial: { count: string; unit: Unit; reason: string } = { count: "", unit: "days", reason: "" };
  const form = useAppForm({
    initial,
    rules: {
      count: [
        (text: string, { unit }: typeof initial) =>
          /^[1-9]\d{0,4}$/.test(text.trim()) && Number(text) <= mostOf(unit)
            ? undefined
            : { message: t("operator.run.moveDialog.wrong", { max: mostOf(unit).toLocaleString("en") }) },
      ],
      reason: [required, maxLength(limits.textLength)],
    },
    send: async ({ count, unit, reason }) => {
      await move({ hours: Number(count) * hoursIn[unit], reason: reason.trim() });
      onClose();
    },
    refusalOf: (code) => t(code === "CLOCK_NOT_MOVABLE" ? "operator.run.fixed" : "errors.operatorChange"),
  });
  return (
    <FormDialog
      title={t("operator.run.moveDialog.title")}
      form={form}
      submit={t("operator.run.moveDialog.submit")}
      busy={t("operator.billing.busy")}
      onClose={onClose}
      isDestructive
    >
      <Typography color="textSecondary">{t("operator.run.moveDialog.help")}</Typography>
      <TextField
        form={form}
        name="count"
        label={t("operator.run.moveDialog.count")}
        inputMode="numeric"
        autoComplete="off"
      />
      <SelectField
        form={form}
        name="unit"
        label={t("operator.run.moveDialog.unit")}
        choices={(["days", "hours"] as const).map((value) => ({
          value,
          label: t(`operator.run.moveDialog.units.${value}`),
        }))}
      />
      <ReasonField form={form} isRead={false} />
    </FormDialog>
  );
}
