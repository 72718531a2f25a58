import "../../en/payments.ts";
import { Box, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import {
  email,
  limits,
  maxLength,
  type Organization,
  required,
  REVERSE_CHARGE,
  vatNumber,
  visible,
} from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { sideBySide } from "../../components/form/side-by-side.ts";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { PageSection } from "../../components/PageSection.tsx";
import { snack } from "../../components/snack-queue.ts";
import { useMe } from "../../session/user.ts";
import { countryChoices, countryName } from "../../shared/countries.ts";
import { editOrganization, organizationOf } from "../../shared/organizations.queries.ts";
import { SaveButton } from "../../shared/SaveButton.tsx";

const line = [maxLength(limits.textLength), visible];
const noAddress = { street: "", additional_info: "", city: "", state: "", postcode: "", country: "" };
const needed = ["street", "city", "postcode", "country"] as const;
const optional = ["additional_info", "state"] as const;

/** Whom invoices are made out to, and what tax they have. */
export function BillingInformation() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(organizationOf(useMe()));
  return (
    <PageSection
      id="billing-information"
      title={t("payments.information.title")}
      about={t("payments.information.about")}
    >
      {data && <InformationForm organization={data} />}
      {error && !data && (
        <ErrorState
          title={t("payments.information.failed")}
          help={t("payments.methods.unread")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {isPending && (
        <Delayed>
          <Skeleton
            variant="rounded"
            animation={false}
            height={280}
            component="output"
            aria-label={t("payments.information.loading")}
          />
        </Delayed>
      )}
    </PageSection>
  );
}

function InformationForm({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const { company_name, vat_number, additional_billing_contact_email: contact, address } = organization;
  const form = useAppForm({
    initial: {
      company_name,
      vat_number,
      additional_billing_contact_email: contact ?? "",
      address: { ...noAddress, ...address, state: address?.state ?? "" },
    },
    rules: { company_name: line, additional_billing_contact_email: [email] },
    *check(values) {
      // What is there already stays, as the service sees it.
      const isNew = values.vat_number !== vat_number;
      const ofNumber = isNew ? [...line, vatNumber(values.address.country)] : line;
      yield ["vat_number", ofNumber.map((rule) => rule(values.vat_number)).find(Boolean)];
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
      snack("success", t("payments.information.done"));
    },
    refusalOf: (code) =>
      t(code === "BILLING_ADDRESS_IN_USE" ? "payments.information.inUse" : "payments.information.saveFailed"),
  });
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <TextField form={form} name="company_name" label={t("payments.information.company")} max={limits.textLength} />
      <Box sx={sideBySide}>
        <TextField
          form={form}
          name="vat_number"
          label={t("payments.information.vat")}
          help={t("payments.information.vatHelp")}
          max={limits.textLength}
        />
        <TextField
          form={form}
          name="additional_billing_contact_email"
          type="email"
          label={t("payments.information.contact")}
          help={t("payments.information.contactHelp")}
        />
      </Box>
      <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: "grid", gap: 3 }}>
        <Typography component="legend" variant="h3" sx={{ p: 0, mb: 3 }}>
          {t("payments.information.address")}
        </Typography>
        <TextField
          form={form}
          name="address.street"
          label={t("payments.information.street")}
          autoComplete="address-line1"
        />
        <TextField
          form={form}
          name="address.additional_info"
          label={t("payments.information.more")}
          autoComplete="address-line2"
        />
        <Box sx={sideBySide}>
          <TextField
            form={form}
            name="address.postcode"
            label={t("payments.information.postcode")}
            autoComplete="postal-code"
          />
          <TextField
            form={form}
            name="address.city"
            label={t("payments.information.city")}
            autoComplete="address-level2"
          />
          <TextField
            form={form}
            name="address.state"
            label={t("payments.information.state")}
            autoComplete="address-level1"
          />
          <SelectField
            form={form}
            name="address.country"
            label={t("payments.information.country")}
            choices={[{ value: "", label: t("common.none") }, ...countryChoices]}
          />
        </Box>
      </Box>
      <Tax rate={organization.tax_rate} />
    </Form>
  );
}

/** What is added to invoices, as things are saved. */
function Tax({ rate }: { rate: Organization["tax_rate"] }) {
  const { t } = useTranslation();
  if (!rate) return null;
  const { percentage, display_name: name, jurisdiction } = rate;
  const country = countryName(jurisdiction);
  const isReverse = name === REVERSE_CHARGE;
  return (
    <Typography variant="body2" color="textSecondary">
      {percentage > 0
        ? t("payments.information.tax", { percentage, name, country })
        : t(isReverse ? "payments.information.reverse" : "payments.information.noTax", { country })}
    </Typography>
  );
}
