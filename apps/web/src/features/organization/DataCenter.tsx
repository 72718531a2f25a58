import { Link, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { isDedicatedZone, type Organization, zones } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { publicSettings } from "../../session/settings.ts";
import { editOrganization } from "../../shared/organizations.queries.ts";
import { SaveButton } from "../../shared/SaveButton.tsx";

/** Where devices run. */
export function DataCenter({ organization }: { organization: Organization }) {
  return isDedicatedZone(organization) ? (
    <DedicatedZone organization={organization} />
  ) : (
    <ChooseZone organization={organization} />
  );
}

/** Only the operator moves it. */
function DedicatedZone({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const contact = useQuery(publicSettings).data?.links.support;
  return (
    <>
      <Typography sx={{ fontWeight: 550 }}>
        {t("organization.zone.dedicated", {
          zone: t(`organization.zone.names.${organization.license.instances.zone}`),
        })}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {t("organization.zone.dedicatedHelp")} {contact && <Link href={contact}>{t("organization.zone.contact")}</Link>}
      </Typography>
    </>
  );
}

function ChooseZone({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const form = useAppForm({
    initial: { zone: organization.license.instances.zone },
    async send({ zone }) {
      await editOrganization(organization, { license: { instances: { zone } } });
      snack("success", t("organization.zone.done"));
    },
    refusalOf: (code) => {
      if (code === "ZONE_NOT_AVAILABLE") return { field: "zone", says: t("organization.zone.unavailable") };
      return t(code === "ZONE_IS_DEDICATED" ? "organization.zone.isDedicated" : "organization.failed");
    },
  });
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <SelectField
        form={form}
        name="zone"
        label={t("organization.zone.label")}
        help={t("organization.zone.help")}
        choices={zones.map((value) => ({ value, label: t(`organization.zone.names.${value}`) }))}
      />
    </Form>
  );
}
