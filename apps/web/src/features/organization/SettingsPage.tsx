import "../../en/administration.ts";
import "../../en/organization.ts";
import { Box, Skeleton } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { Organization, Provisioning as Provisioned, SignInRules } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { PageSection } from "../../components/PageSection.tsx";
import { useMe } from "../../session/user.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { AllowedOrigins } from "./AllowedOrigins.tsx";
import { DataCenter } from "./DataCenter.tsx";
import { DeviceTimeouts } from "./DeviceTimeouts.tsx";
import { EmbedOrigins } from "./EmbedOrigins.tsx";
import { GroupsClaim } from "./GroupsClaim.tsx";
import { provisioningOf, rulesOf } from "./organization.queries.ts";
import { OrganizationName } from "./OrganizationName.tsx";
import { Provisioning } from "./Provisioning.tsx";
import { RequireSecondFactor } from "./RequireSecondFactor.tsx";
import { SessionLength } from "./SessionLength.tsx";
import { SignInWays } from "./SignInWays.tsx";
import { WhenFull } from "./WhenFull.tsx";

/** How an organization is set up: a section for each matter, each with its own save. */
export default function SettingsPage() {
  const { t } = useTranslation();
  const me = useMe();
  // Others may have changed it since it was read.
  const organization = useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  const uuid = me.organization?.uuid ?? "";
  const rules = useQuery(rulesOf(uuid));
  const provisioning = useQuery(provisioningOf(uuid));
  const parts = [
    { part: organization, title: t("errors.fetchOrganizationFail") },
    { part: rules, title: t("errors.fetchSettings") },
    { part: provisioning, title: t("errors.fetchSettings") },
  ];
  return (
    <>
      <AdministrationHeader />
      <Sections organization={organization.data} rules={rules.data} provisioning={provisioning.data} />
      {parts.map(
        ({ part: { error, data, refetch }, title }, index) =>
          error &&
          !data && (
            <ErrorState
              key={index}
              title={title}
              help={t("organization.unread")}
              error={error}
              onRetry={() => void refetch()}
            />
          ),
      )}
      {parts.some(({ part }) => part.isPending) && (
        <Delayed>
          <Skeleton
            variant="rounded"
            height={280}
            component="output"
            aria-label={t("organization.loading")}
            sx={{ mt: 5 }}
          />
        </Delayed>
      )}
    </>
  );
}

interface Loaded {
  organization: Organization | undefined;
  rules: SignInRules | undefined;
  provisioning: Provisioned | undefined;
}

/** What has loaded: the one needs not wait for the other. */
function Sections({ organization, rules, provisioning }: Loaded) {
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
        section("full", t("organization.full.section", say), <WhenFull organization={organization} />),
        section("embedding", t("organization.embedding.section", say), <EmbedOrigins organization={organization} />),
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
      {provisioning && [
        section(
          "provisioning",
          t("organization.provisioning.section", say),
          <Provisioning uuid={uuid} provisioning={provisioning} />,
        ),
        provisioning.own_provider !== null &&
          section(
            "groups-claim",
            t("organization.claim.section", say),
            <GroupsClaim uuid={uuid} provisioning={provisioning} />,
          ),
      ]}
    </Box>
  );
}
