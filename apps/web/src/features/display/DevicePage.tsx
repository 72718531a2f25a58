import "../../en/display.ts";
import "../../en/launchpad.ts";
import { Box, Button, Paper, Skeleton } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { AppError, type Instance } from "@terrarium/contract";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { generatePath, Link, useParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { FactList } from "../../components/FactList.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { useTitle } from "../../components/use-title.ts";
import { launchpad, routeRules } from "../../session/routes.ts";
import { useMe } from "../../session/user.ts";
import { liveSessionAddress } from "../../shared/live-sessions.ts";
import { columns } from "../instances/columns.tsx";
import { actionsOf, mailToOwner } from "../instances/device-actions.ts";
import { sessionOfDevice } from "../live-sessions/live-sessions.queries.ts";
import { instanceQuery } from "./display.queries.ts";
import { refusalHelps } from "./DisplayNotice.tsx";
import { isIdentifier, refusalOf } from "./refusal.ts";

/** All that is known of one device, at an address that can be passed on, and the way to its display. */
export default function DevicePage() {
  const { t } = useTranslation();
  const { uuid = "" } = useParams();
  const isValid = isIdentifier(uuid);
  const { data, error, refetch } = useQuery({ ...instanceQuery(uuid), enabled: isValid });
  // A refusal counts for more than what was known before it; a hiccup does not.
  const isRefused = error !== null && (!data || (error instanceof AppError && error.status < 500));
  const device = isRefused ? undefined : data;
  const refusal = isValid ? refusalOf(error) : "invalid";
  const fact = t(`display.refused.${refusal}`);
  const help = t(refusalHelps[refusal]);
  useTitle(device?.name);
  return (
    <>
      <PageHeader title={data?.name ?? t("display.untitled")} isLong>
        {device && <WayOn device={device} />}
      </PageHeader>
      {device && <Facts device={device} />}
      {isValid && !device && !isRefused && (
        <Delayed>
          <Skeleton variant="rounded" animation={false} height={480} aria-busy="true" sx={{ mt: 4, maxWidth: 640 }} />
        </Delayed>
      )}
      {isRefused && refusal === "other" && (
        <ErrorState title={fact} help={help} error={error} onRetry={() => void refetch()} />
      )}
      {(!isValid || (isRefused && refusal !== "other")) && (
        <EmptyState title={fact} help={help}>
          <Button component={Link} to={launchpad}>
            {t("display.backToDevices")}
          </Button>
        </EmptyState>
      )}
    </>
  );
}

/** To the picture, which a colleague's device has only in a live session, or else to whose device it is. */
function WayOn({ device }: { device: Instance }) {
  const { t } = useTranslation();
  const { uuid, name, owner } = device;
  const actions = actionsOf(device, useMe());
  const isColleagues = actions.some(({ kind }) => kind === "messageOwner");
  const { data: live, isLoading } = useQuery({ ...sessionOfDevice(uuid), enabled: isColleagues });
  const hasDisplay = actions.some(({ kind, unless }) => kind === "display" && unless === undefined);
  if (hasDisplay || (isColleagues && live))
    return (
      <Button
        component={Link}
        to={isColleagues && live ? liveSessionAddress(live.uuid) : generatePath(routeRules.instance.path, { uuid })}
        variant="contained"
        color="primary"
      >
        {t("display.open")}
      </Button>
    );
  return isColleagues && !isLoading ? (
    <Button href={mailToOwner(owner.email, t("display.colleague.subject", { name }))}>
      {t("display.colleague.message")}
    </Button>
  ) : null;
}

function Facts({ device }: { device: Instance }) {
  const { t } = useTranslation();
  return (
    <Paper variant="outlined" sx={{ mt: 4, p: { xs: 4, sm: 5 }, borderRadius: "10px", maxWidth: 640 }}>
      <FactList>
        {/* The title says its name. */}
        {columns.slice(1).map(({ id, cell }) => (
          <Fragment key={id}>
            <dt>{t(`launchpad.columns.${id}`)}</dt>
            <Box component="dd" sx={{ display: "flex", justifyContent: "flex-end", minWidth: 0 }}>
              {cell(device, undefined)}
            </Box>
          </Fragment>
        ))}
      </FactList>
    </Paper>
  );
}
