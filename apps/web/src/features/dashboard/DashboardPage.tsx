import "../../en/dashboard.ts";
import "../../en/budgets.ts";
import "../../en/invoices.ts";
import { Box, Skeleton } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { useInPlace } from "../../components/use-in-place.ts";
import { useMe } from "../../session/user.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { budgets as budgetsQuery } from "../budgets/budgets.queries.ts";
import { BudgetsSection } from "../budgets/BudgetsSection.tsx";
import { overview as overviewQuery } from "./dashboard.queries.ts";
import { Decisions } from "./Decisions.tsx";
import { LeftOn } from "./LeftOn.tsx";
import { Row, Tiles } from "./Tiles.tsx";
import { UsageSection } from "./UsageSection.tsx";

/** What a manager wants to know at a glance: what is so now, what there is to decide, and what was used. */
export default function DashboardPage() {
  const now = [useQuery(organizationOf(useMe())), useQuery(overviewQuery)];
  const hasNow = useInPlace(now);
  const hasBudgets = useInPlace([...now, useQuery(budgetsQuery)]);
  return (
    <>
      <AdministrationHeader />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 6, mt: 5 }}>
        <Now />
        {hasNow && <BudgetsSection />}
        {/* It loads meanwhile. */}
        <div style={{ display: hasBudgets ? "contents" : "none" }}>
          <UsageSection />
        </div>
      </Box>
    </>
  );
}

function Now() {
  const { t } = useTranslation();
  const me = useMe();
  // Others may have changed it since it was read.
  const organization = useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  const overview = useQuery({ ...overviewQuery, refetchOnMount: "always" });
  // The section below says when these could not be read.
  const { data: budgets } = useQuery(budgetsQuery);
  const failed = [organization, overview].find(({ error, data }) => error && !data);
  if (failed)
    return (
      <ErrorState
        title={t("errors.fetchOrganizationFail")}
        help={t("dashboard.unread")}
        error={failed.error}
        onRetry={() => void Promise.all([organization.refetch(), overview.refetch()])}
      />
    );
  if (!organization.data || !overview.data)
    return (
      <Delayed>
        <Row aria-busy="true" aria-label={t("dashboard.loading")}>
          {["running", "plan", "people", "invitations", "spend", "invoice"].map((tile) => (
            <Skeleton key={tile} component="li" variant="rounded" animation={false} height={108} />
          ))}
        </Row>
      </Delayed>
    );
  const now = { organization: organization.data, overview: overview.data };
  return (
    <>
      <Tiles {...now} />
      <Box
        sx={{
          display: "grid",
          gap: 4,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
        }}
      >
        <Decisions {...now} budgets={budgets?.results ?? []} />
        <LeftOn leftOn={overview.data.left_on} />
      </Box>
    </>
  );
}
