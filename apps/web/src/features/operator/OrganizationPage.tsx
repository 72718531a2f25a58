import "../../en/operator.ts";
import "../../en/organization.ts";
import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { OperatedOrganization, OperatedPerson, Zone } from "@terrarium/contract";
import PencilLine from "lucide-react/icons/pencil-line";
import ReceiptText from "lucide-react/icons/receipt-text";
import { useTranslation } from "react-i18next";
import { generatePath, Link as RouterLink, useParams } from "react-router";
import { BackLink } from "../../components/links.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { routeRules } from "../../session/routes.ts";
import { Facts } from "./Facts.tsx";
import { LicenseChip } from "./organization-list.tsx";
import { organizationOf, type PersonAct } from "./operator.queries.ts";
import { peopleList } from "./people-list.tsx";
import { PersonDialog } from "./PersonDialog.tsx";
import { TermsDialog } from "./TermsDialog.tsx";

/** One organization: what it may have, and its people. */
export default function OrganizationPage() {
  const { t } = useTranslation();
  const { uuid = "" } = useParams();
  const { data: organization, error, refetch } = useQuery(organizationOf(uuid));
  return (
    <>
      <BackLink to={routeRules.operatedOrganizations.path} mb={2}>
        {t("operator.organizations.back")}
      </BackLink>
      {organization ? (
        <Parts organization={organization} />
      ) : (
        <PageHeader title={t("common.titles.operatedOrganization")} />
      )}
      {error && !organization && (
        <ErrorState
          title={t("errors.operatorOrganization")}
          help={t("operator.failed")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!organization && !error && (
        <Delayed>
          <Skeleton variant="rounded" height={280} component="output" aria-label={t("operator.loading")} />
        </Delayed>
      )}
    </>
  );
}

type Asked = { what: "terms" } | { what: "person"; act: PersonAct; person: OperatedPerson };

function Parts({ organization }: { organization: OperatedOrganization }) {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<Asked>();
  const { uuid, license, limits, zone } = organization;
  const zoneName = t(`organization.zone.names.${zone.name as Zone}`);
  const list = useList(peopleList, {
    t,
    organization: uuid,
    act: (act, person) => ask({ what: "person", act, person }),
  });
  return (
    <>
      <PageHeader title={organization.name} isLong>
        <LicenseChip license={license} t={t} />
        <Button component={RouterLink} to={generatePath(routeRules.operatedOrganizationBilling.path, { uuid })}>
          <Icon glyph={ReceiptText} />
          {t("operator.billing.open")}
        </Button>
      </PageHeader>
      <Box sx={{ maxWidth: 640, mt: 5 }}>
        <Facts
          title={t("operator.organization.terms")}
          mark={
            <Button variant="outlined" onClick={() => ask({ what: "terms" })}>
              <Icon glyph={PencilLine} />
              {t("operator.organization.change")}
            </Button>
          }
          facts={[
            [t("operator.organization.id"), uuid],
            [t("operator.organization.type"), t(`operator.organizations.types.${license.type}`)],
            [
              t("operator.organization.active"),
              t(`operator.organization.isActive.${!license.is_active ? "no" : license.is_unpaid ? "unpaid" : "yes"}`),
            ],
            [
              t("operator.organization.expires"),
              // The day that was typed, which begins in UTC.
              license.expires_at ? `${license.expires_at.slice(0, 10)} UTC` : t("operator.organization.never"),
            ],
            [
              t("operator.organization.limits.devices"),
              t("operator.organizations.runningOf", {
                count: organization.running_instances,
                max: limits.devices,
              }),
            ],
            ...(["recipes", "hardware_profiles", "os_images", "saved_gigabytes"] as const).map(
              (what) => [t(`operator.organization.limits.${what}`), limits[what].toLocaleString("en")] as const,
            ),
            [
              t("operator.organization.zone"),
              zone.is_dedicated ? t("operator.organization.dedicated", { zone: zoneName }) : zoneName,
            ],
            [
              t("operator.organization.people"),
              t("operator.organization.managersOf", {
                count: organization.people,
                managers: organization.managers,
              }),
            ],
            [
              t("operator.organization.secondFactor"),
              t(`operator.organization.isActive.${organization.requires_second_factor ? "yes" : "no"}`),
            ],
          ]}
        />
      </Box>
      <Typography variant="h2" sx={{ mt: 8 }}>
        {t("operator.organization.people")}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {t("operator.organization.peopleAbout")}
      </Typography>
      <ListView
        state={list}
        empty={<EmptyState title={t("operator.people.empty.title")} help={t("operator.people.empty.help")} />}
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          terms: () => <TermsDialog organization={organization} onClose={close} />,
          person: ({ act, person }) => <PersonDialog act={act} person={person} onClose={close} />,
        }}
      />
    </>
  );
}
