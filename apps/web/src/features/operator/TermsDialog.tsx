import { Box, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import {
  licenseTypes,
  limits,
  maxLength,
  type OperatedOrganization,
  required,
  type Zone,
  zones,
} from "@terrarium/contract";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { isDay } from "../../components/days.ts";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { setTerms, type Terms } from "./operator.queries.ts";
import { ReasonField } from "./ReasonField.tsx";

const counted = ["devices", "recipes", "hardware_profiles", "os_images", "saved_gigabytes"] as const;
type Counted = (typeof counted)[number];

/** What is typed: numbers and days are text. */
type Values = Record<Counted, string> & {
  type: OperatedOrganization["license"]["type"];
  is_active: boolean;
  /** What a plan that has ended left unpaid is no hindrance. */
  isForgiven: boolean;
  expires: string;
  zone: Zone;
  is_dedicated: boolean;
};

const dayOf = (time: string | null): string => time?.slice(0, 10) ?? "";
/** The beginning of a day, in UTC; null for no day. */
const timeOf = (day: string): string | null => (isDay(day) ? `${day}T00:00:00.000Z` : null);
const isCount = (text: string): boolean => /^\d{1,6}$/.test(text) && Number(text) <= limits.operatedMax;

const valuesOf = ({ license, limits: has, zone }: OperatedOrganization): Values => ({
  type: license.type,
  is_active: license.is_active,
  isForgiven: false,
  expires: dayOf(license.expires_at),
  ...(Object.fromEntries(counted.map((what) => [what, String(has[what])])) as Record<Counted, string>),
  zone: zone.name as Zone,
  is_dedicated: zone.is_dedicated,
});

/** What is different from before, as the service is asked for it. */
function changesOf(before: Values, now: Values): Omit<Terms, "reason"> {
  const license: Terms["license"] = {
    ...(now.type !== before.type && { type: now.type }),
    ...(now.is_active !== before.is_active && { is_active: now.is_active }),
    ...(now.isForgiven && { is_unpaid: false }),
    ...(now.expires !== before.expires && { expires_at: timeOf(now.expires) }),
  };
  const changed = counted.filter((what) => now[what] !== before[what]);
  const has: Terms["limits"] = Object.fromEntries(changed.map((what) => [what, Number(now[what])]));
  const isElsewhere = now.zone !== before.zone || now.is_dedicated !== before.is_dedicated;
  return {
    ...(Object.keys(license).length > 0 && { license }),
    ...(changed.length > 0 && { limits: has }),
    ...(isElsewhere && { zone: { name: now.zone, is_dedicated: now.is_dedicated } }),
  };
}

/** The same in words, a line for each. */
function linesOf(before: Values, now: Values, t: TFunction): string[] {
  const yes = (is: boolean) => t(`operator.organization.isActive.${is ? "yes" : "no"}`);
  const zoneOf = ({ zone: name, is_dedicated }: Values) => {
    const zone = t(`organization.zone.names.${name}`);
    return is_dedicated ? t("operator.organization.dedicated", { zone }) : zone;
  };
  const rows: [string, string, string][] = [
    [
      t("operator.organization.type"),
      t(`operator.organizations.types.${before.type}`),
      t(`operator.organizations.types.${now.type}`),
    ],
    [t("operator.organization.active"), yes(before.is_active), yes(now.is_active)],
    [t("operator.organization.dialog.forgive"), yes(before.isForgiven), yes(now.isForgiven)],
    [
      t("operator.organization.expires"),
      before.expires || t("operator.organization.never"),
      now.expires || t("operator.organization.never"),
    ],
    ...counted.map((what): [string, string, string] => [
      t(`operator.organization.limits.${what}`),
      before[what],
      now[what],
    ]),
    [t("operator.organization.zone"), zoneOf(before), zoneOf(now)],
  ];
  return rows.flatMap(([what, was, is]) =>
    was === is ? [] : [t("operator.organization.dialog.change", { what, before: was, after: is })],
  );
}

/** Asks what an organization is to pay by and to have, shows what that changes, and why it is done. */
export function TermsDialog({ organization, onClose }: { organization: OperatedOrganization; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: set } = useMutation(setTerms);
  const before = valuesOf(organization);
  const count = (text: string) =>
    isCount(text) ? undefined : { message: t("operator.organization.dialog.count", { max: limits.operatedMax }) };
  const form = useAppForm({
    initial: { ...before, reason: "" },
    rules: {
      ...(Object.fromEntries(
        // What was set in another way, such as half a gigabyte, may stay.
        counted.map((what) => [what, [(text: string) => (text === before[what] ? undefined : count(text))]]),
      ) as Record<Counted, [(text: string) => ReturnType<typeof count>]>),
      expires: [
        (day: string) => (day === "" || isDay(day) ? undefined : { message: t("operator.organization.dialog.date") }),
      ],
      reason: [
        required,
        maxLength(limits.textLength),
        (_: string, values: Values) =>
          linesOf(before, values, t).length > 0 ? undefined : { message: t("operator.organization.dialog.nothing") },
      ],
    },
    send: async ({ reason, ...now }) => {
      await set({ organization, reason: reason.trim(), ...changesOf(before, now) });
      onClose();
    },
    refusalOf: (code) => {
      if (code === "PLAN_RENEWS") return { field: "expires", says: t("operator.organization.dialog.renews") };
      return t(code === "PLAN_SUSPENDED" ? "operator.organization.dialog.suspended" : "errors.operatorChange");
    },
  });
  const lines = linesOf(before, useValues(form), t);
  return (
    <FormDialog
      title={t("operator.organization.dialog.title", organization)}
      form={form}
      submit={t("operator.organization.dialog.submit")}
      busy={t("operator.organization.dialog.busy")}
      onClose={onClose}
      width={560}
    >
      <SelectField
        form={form}
        name="type"
        label={t("operator.organization.type")}
        choices={licenseTypes.map((value) => ({ value, label: t(`operator.organizations.types.${value}`) }))}
      />
      <CheckboxField form={form} name="is_active" label={t("operator.organization.active")} />
      {organization.license.is_unpaid && (
        <CheckboxField form={form} name="isForgiven" label={t("operator.organization.dialog.forgive")} />
      )}
      <TextField
        form={form}
        name="expires"
        label={t("operator.organization.expires")}
        help={t("operator.organization.dialog.expiresHelp")}
        type="date"
        autoComplete="off"
      />
      <Box sx={{ display: "grid", gap: 4, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        {counted.map((what) => (
          <TextField
            key={what}
            form={form}
            name={what}
            label={t(`operator.organization.limits.${what}`)}
            inputMode="numeric"
            autoComplete="off"
          />
        ))}
      </Box>
      <SelectField
        form={form}
        name="zone"
        label={t("operator.organization.zone")}
        choices={zones.map((value) => ({ value, label: t(`organization.zone.names.${value}`) }))}
      />
      <CheckboxField form={form} name="is_dedicated" label={t("operator.organization.dialog.dedicated")} />
      <Box component="output" aria-label={t("operator.organization.dialog.changes")} sx={{ display: "block" }}>
        <Typography variant="label" component="p" sx={{ m: 0, mb: 1.5 }}>
          {t("operator.organization.dialog.changes")}
        </Typography>
        {lines.length === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {t("operator.organization.dialog.unchanged")}
          </Typography>
        ) : (
          <Box component="ul" sx={{ m: 0, pl: 5, typography: "body2" }}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </Box>
        )}
      </Box>
      <ReasonField form={form} />
    </FormDialog>
  );
}
