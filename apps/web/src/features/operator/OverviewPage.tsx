import "../../en/devices.ts";
import "../../en/operator.ts";
import { Box, Link, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { displayedStates } from "@terrarium/contract";
import CircleCheck from "lucide-react/icons/circle-check";
import Clock from "lucide-react/icons/clock";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { Link as RouterLink } from "react-router";
import { PageHeader } from "../../components/PageHeader.tsx";
import { sizeText } from "../../components/size-text.ts";
import { StateChip } from "../../components/StateChip.tsx";
import { routeRules } from "../../session/routes.ts";
import { publicSettings } from "../../session/settings.ts";
import { takesFinger } from "../../components/links.tsx";
import { FactGrid, Facts } from "./Facts.tsx";
import type { Overview } from "./operator.queries.ts";
import { OverviewState } from "./OverviewState.tsx";

/** How the service is: what needs attention, then what is known about each part. */
export default function OverviewPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("common.titles.operator")} />
      <OverviewState>{(overview) => <Parts overview={overview} />}</OverviewState>
    </>
  );
}

/** Where something that needs attention can be seen to. */
const places: Partial<Record<Overview["attention"][number]["what"], string>> = {
  no_gateway: routeRules.operatedGateways.path,
  unattended_devices: routeRules.operatedGateways.path,
  server_silent: routeRules.operatedGateways.path,
  gateways_draining: routeRules.operatedGateways.path,
  server_busy: routeRules.operatedGateways.path,
  jobs_late: `${routeRules.operatedJobs.path}?state=waiting`,
  mails_stuck: `${routeRules.operatedJobs.path}?search=send-mail`,
  requests_waiting: `${routeRules.operatedRequests.path}?state=REQUESTED`,
  jobs_failed: `${routeRules.operatedJobs.path}?state=failed`,
};

function Attention({ attention }: Pick<Overview, "attention">) {
  const { t } = useTranslation();
  if (attention.length === 0)
    return (
      <Box sx={{ display: "flex", alignItems: "center", gap: 2 }}>
        <StateChip tone="success" glyph={CircleCheck} label={t("operator.attention.none")} />
      </Box>
    );
  return (
    <Box
      component="ul"
      aria-label={t("operator.attention.title")}
      sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 2 }}
    >
      {attention.map(({ what, is_urgent, count }) => {
        const says = t(`operator.attention.${what}`, { count });
        const place = places[what];
        return (
          <Box component="li" key={what} sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
            {is_urgent ? (
              <StateChip tone="error" glyph={TriangleAlert} label={t("operator.attention.urgent")} />
            ) : (
              <StateChip tone="ending" glyph={Clock} label={t("operator.attention.soon")} />
            )}
            {place ? (
              <Link component={RouterLink} to={place} color="inherit">
                {says}
              </Link>
            ) : (
              <span>{says}</span>
            )}
          </Box>
        );
      })}
    </Box>
  );
}

function Parts({ overview }: { overview: Overview }) {
  const { t } = useTranslation();
  const { attention, devices, jobs, mails, database, servers, gateways, version } = overview;
  const { data: settings } = useQuery(publicSettings);
  const counts = Map.groupBy(devices.states, ({ state }) => displayedStates[state]);
  return (
    <Box sx={{ display: "grid", gap: 6, mt: 5 }} aria-live="off">
      <Box component="section" aria-label={t("operator.attention.title")}>
        <Typography variant="h2" sx={{ mb: 3 }}>
          {t("operator.attention.title")}
        </Typography>
        <Attention attention={attention} />
      </Box>
      <FactGrid>
        <Facts
          title={t("operator.overview.devices")}
          facts={[
            ...[...counts].map(
              ([state, rows]) =>
                [t(`launchpad.states.${state}`), rows.reduce((sum, { count }) => sum + count, 0)] as const,
            ),
            [t("operator.overview.unattended"), devices.unattended],
          ]}
        >
          {devices.states.length === 0 && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
              {t("operator.overview.noDevices")}
            </Typography>
          )}
        </Facts>
        <Facts
          title={t("operator.overview.jobs")}
          facts={[
            ...jobs.queues.map(
              ({ name, ...counted }) =>
                [
                  name,
                  t("operator.overview.queue", {
                    waiting: counted.waiting,
                    running: counted.running,
                    failed: counted.failed,
                  }),
                ] as const,
            ),
            // Elsewhere those that wait or failed are among the jobs.
            ...(settings?.has_mailbox
              ? [
                  [
                    t("operator.overview.mailbox"),
                    <Link
                      key="mailbox"
                      component={RouterLink}
                      to={routeRules.mailbox.path}
                      color="inherit"
                      sx={takesFinger}
                    >
                      {t("operator.overview.mails", { count: mails.unsent })}
                    </Link>,
                  ] as const,
                ]
              : []),
          ]}
        >
          {jobs.queues.length === 0 && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
              {t("operator.overview.noJobs")}
            </Typography>
          )}
        </Facts>
        <Facts
          title={t("operator.overview.database")}
          facts={[
            [t("operator.overview.version"), `PostgreSQL ${database.version}`],
            [t("operator.overview.size"), sizeText(database.bytes)],
            [
              t("operator.overview.connections"),
              t("operator.overview.connectionsOf", { count: database.connections, max: database.connections_max }),
            ],
          ]}
        />
        <Facts
          title={t("operator.overview.service")}
          facts={[
            [t("operator.overview.version"), version],
            [t("operator.overview.processes"), servers.length],
            [t("operator.overview.gateways"), gateways.length],
          ]}
        />
      </FactGrid>
    </Box>
  );
}
