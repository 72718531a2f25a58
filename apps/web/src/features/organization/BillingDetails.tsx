import { Box, Typography } from "@mui/material";
import { countries, email, limits, maxLength, type Organization, required, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { editOrganization } from "./organization.queries.ts";
import { SaveButton } from "./SaveButton.tsx";

const line = [maxLength(limits.textLength), visible];
const noAddress = { street: "", additional_info: "", city: "", state: "", postcode: "", country: "" };
const needed = ["street", "city", "postcode", "country"] as const;
const optional = ["additional_info", "state"] as const;

const names = new Intl.DisplayNames(["en"], { type: "region" });
const choices = countries
  .map((value) => ({ value, label: names.of(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label));

/** Whom invoices are made out to. */
export function BillingDetails({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const { company_name, vat_number, additional_billing_contact_email: contact, address } = organization;
  const form = useAppForm({
    initial: {
      company_name,
      vat_number,
      additional_billing_contact_email: contact ?? "",
      address: { ...noAddress, ...address, state: address?.state ?? "" },
    },
    rules: { company_name: line, vat_number: line, additional_billing_contact_email: [email] },
    *check(values) {
      const isGiven = Object.values(values.address).some((value) => value.trim() !== "");
      for (const name of needed) {
        const value = values.address[name];
        const rules = isGiven ? [required, ...line] : [];
        yield [`address.${name}`, rules.map((rule) => rule(value)).find(Boolean)];
      }
      for (const name of optional)
        yield [`address.${name}`, line.map((rule) => rule(values.address[name])).find(Boolean)];
    },
    async send({ additional_billing_contact_email: to, address: at, ...values }) {
      const isGiven = Object.values(at).some((value) => value.trim() !== "");
      await editOrganization(organization, {
        ...values,
        additional_billing_contact_email: to.trim() || null,
        address: isGiven ? { ...at, state: at.state.trim() || null } : null,
      });
      snack("success", t("organization.billing.done"));
    },
    refusalOf: () => t("organization.failed"),
  });
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <TextField form={form} name="company_name" label={t("organization.billing.company")} max={limits.textLength} />
      <Box sx={pair}>
        <TextField form={form} name="vat_number" label={t("organization.billing.vat")} max={limits.textLength} />
        <TextField
          form={form}
          name="additional_billing_contact_email"
          type="email"
          label={t("organization.billing.contact")}
          help={t("organization.billing.contactHelp")}
        />
      </Box>
      <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: "grid", gap: 3 }}>
        <Typography component="legend" variant="h3" sx={{ p: 0, mb: 3 }}>
          {t("organization.billing.address")}
        </Typography>
        <TextField
          form={form}
          name="address.street"
          label={t("organization.billing.street")}
          autoComplete="address-line1"
        />
        <TextField
          form={form}
          name="address.additional_info"
          label={t("organization.billing.more")}
          autoComplete="address-line2"
        />
        <Box sx={pair}>
          <TextField
            form={form}
            name="address.postcode"
            label={t("organization.billing.postcode")}
            autoComplete="postal-code"
          />
          <TextField
            form={form}
            name="address.city"
            label={t("organization.billing.city")}
            autoComplete="address-level2"
          />
          <TextField
            form={form}
            name="address.state"
            label={t("organization.billing.state")}
            autoComplete="address-level1"
          />
          <SelectField
            form={form}
            name="address.country"
            label={t("organization.billing.country")}
            choices={[{ value: "", label: t("common.none") }, ...choices]}
          />
        </Box>
      </Box>
    </Form>
  );
}

const pair = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(0, 1fr) minmax(0, 1fr)" },
  alignItems: "start",
  gap: 3,
} as const;
