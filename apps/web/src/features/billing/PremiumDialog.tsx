import { Button, Link, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useFormState } from "../../components/form/use-form.ts";
import { routeRules } from "../../session/routes.ts";
import type { Me } from "../../session/user.ts";
import { AskerFields } from "../../shared/asker/AskerFields.tsx";
import { requestPremium } from "./billing.queries.ts";
import { premiumBody, premiumForm, premiumRules } from "./premium-form.ts";

/** Asks for an offer. The outcome is shown below, and what was typed stays if it could not be sent. */
export function PremiumDialog({ me, organization, onClose }: { me: Me; organization: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: request } = useMutation(requestPremium);
  const form = useAppForm({
    initial: premiumForm(me),
    rules: premiumRules,
    send: async (values) => {
      await request({ organization, body: premiumBody(values) }).then(onClose, () => undefined);
    },
    refusalOf: () => t("administration.requestPremiumPlanDialog.snack.error"),
  });
  const isValid = useFormState(form, (state) => state.isValid);
  return (
    <AppDialog
      title={t("plans.premium.title")}
      onClose={onClose}
      width={600}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <SubmitButton form={form} busy={t("plans.premium.busy")} disabled={!isValid}>
            {t("plans.premium.submit")}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} takesFocus>
        <Typography variant="body2" color="textSecondary">
          {t("plans.premium.about")}
        </Typography>
        <AskerFields
          form={form}
          names={{
            firstName: "firstName",
            lastName: "lastName",
            email: "email",
            country: "country",
            company: { name: "companyName", role: "role", employees: "nbOfEmployees", devices: "nbOfConcurrentVD" },
          }}
        />
        <TextField
          form={form}
          name="businessDescribe"
          label={t("plans.premium.describe")}
          max={limits.planRequestLength}
          multiline
          minRows={3}
          maxRows={8}
        />
        <CheckboxField
          form={form}
          name="isprivacyPolicyChecked"
          label={
            <>
              {t("plans.premium.privacy")}
              <Link href={routeRules.legalPrivacy.path} target="_blank" rel="noopener">
                {t("plans.premium.privacyLink")}
              </Link>
            </>
          }
        />
      </Form>
    </AppDialog>
  );
}
