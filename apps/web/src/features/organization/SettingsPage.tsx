import "../../en/administration.ts";
import "../../en/organization.ts";
import { Box, Skeleton } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { Organization, SignInRules } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { PageSection } from "../../components/PageSection.tsx";
import { useMe } from "../../session/user.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { AllowedOrigins } from "./AllowedOrigins.tsx";
import { BillingDetails } from "./BillingDetails.tsx";
import { DataCenter } from "./DataCenter.tsx";
import { DeviceTimeouts } from "./DeviceTimeouts.tsx";
import { rulesOf } from "./organization.queries.ts";
import { OrganizationName } from "./OrganizationName.tsx";
import { RequireSecondFactor } from "./RequireSecondFactor.tsx";
import { SessionLength } from "./SessionLength.tsx";
import { SignInWays } from "./SignInWays.tsx";

/** How an organization is set up: a section for each matter, each with its own save. */
export default function SettingsPage() {
  const { t } = useTranslation();
  const me = useMe();
  // Others may have changed it since it was read.
  const organization = useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  const rules = useQuery(rulesOf(me.organization?.uuid ?? ""));
  return (
    <>
      <AdministrationHeader />
      <Sections organization={organization.data} rules={rules.data} />
      {organization.error && !organization.data && (
        <ErrorState
          title={t("errors.fetchOrganizationFail")}
          help={t("organization.unread")}
          error={organization.error}
          onRetry={() => void organization.refetch()}
        />
      )}
      {rules.error && !rules.data && (
        <ErrorState
          title={t("errors.fetchSettings")}
          help={t("organization.unread")}
          error={rules.error}
          onRetry={() => void rules.refetch()}
        />
      )}
      {(organization.isPending || rules.isPending) && (
        <Delayed>
          <Skeleton variant="rounded" height={280} aria-label={t("organization.loading")} sx={{ mt: 5 }} />
        </Delayed>
      )}
    </>
  );
}

/** What has loaded: the one needs not wait for the other. */
function Sections({ organization, rules }: { organization: Organization | undefined; rules: SignInRules | undefined }) {
  const { t } = useTranslation();
  const { organization: own } = useMe();
  const uuid = own?.uuid ?? "";
  const section = (id: string, { title, about }: { title: string; about: string }, children: React.ReactNode) => (
    <PageSection key={id} id={id} title={title} about={about}>
      {children}
    </PageSection>
  );
  const say = { returnObjects: true } as const;
  return (
    <Box sx={{ display: "grid", gap: 10, mt: 5, "&:empty": { mt: 0 } }}>
      {organization && [
        section("name", t("organization.name.section", say), <OrganizationName organization={organization} />),
        section("zone", t("organization.zone.section", say), <DataCenter organization={organization} />),
        section("timeouts", t("organization.timeouts.section", say), <DeviceTimeouts organization={organization} />),
        section("billing", t("organization.billing.section", say), <BillingDetails organization={organization} />),
        section(
          "second-factor",
          t("organization.rules.secondFactor.section", say),
          <RequireSecondFactor organization={organization} />,
        ),
      ]}
      {rules && [
        section("sign-in", t("organization.rules.ways.section", say), <SignInWays uuid={uuid} rules={rules} />),
        section("sessions", t("organization.rules.length.section", say), <SessionLength uuid={uuid} rules={rules} />),
        section("origins", t("organization.rules.origins.section", say), <AllowedOrigins uuid={uuid} rules={rules} />),
      ]}
    </Box>
  );
}
