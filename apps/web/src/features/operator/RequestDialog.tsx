import { Box, Button, Link, Typography } from "@mui/material";
import type { PlanRequest } from "@terrarium/contract";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Link as RouterLink } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { dateTime } from "../../components/dates.ts";
import { FactList } from "../../components/FactList.tsx";
import { operator as words } from "../../en/operator.ts";
import { routeRules } from "../../session/routes.ts";
import type { Decision } from "./operator.queries.ts";
import { RequestChip } from "./request-list.tsx";

/** In the order in which it is asked for: what was filled in comes in none. */
const fields = Object.keys(words.operator.requests.form) as (keyof typeof words.operator.requests.form)[];

interface Props {
  request: PlanRequest;
  onClose: () => void;
  onDecide: (decision: Decision) => void;
}

/** All that was filled in, with the decision, or what can be decided. */
export function RequestDialog({ request, onClose, onDecide }: Props) {
  const { t } = useTranslation();
  const { organization, form, state, kind } = request;
  const facts = [
    [t("operator.requests.askedBy"), request.asked_by],
    [t("operator.requests.asked"), dateTime(request.requested_at, "")],
    [t("operator.requests.decided"), dateTime(request.decided_at, "")],
    [t("operator.requests.reason"), request.reason],
    ...fields.map((name) => [t(`operator.requests.form.${name}`), form[name] ?? ""]),
  ].filter(([, value]) => value !== "");
  return (
    <AppDialog
      title={organization.name}
      onClose={onClose}
      width={560}
      dismiss={t("common.close")}
      actions={
        state === "REQUESTED" && (
          <>
            <Button variant="outlined" onClick={() => onDecide("reject")}>
              {t("operator.requests.reject.act")}
            </Button>
            <Button variant="contained" color="primary" onClick={() => onDecide("approve")}>
              {t("operator.requests.approve.act")}
            </Button>
          </>
        )
      }
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, mb: 4 }}>
        <Typography sx={{ fontWeight: 550 }}>{t(`operator.requests.kinds.${kind}`)}</Typography>
        <RequestChip request={request} t={t} />
        <Link component={RouterLink} to={`${routeRules.operatedOrganizations.path}/${organization.uuid}`}>
          {t("operator.requests.open")}
        </Link>
      </Box>
      <FactList>
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <Box component="dd" sx={{ whiteSpace: "pre-wrap" }}>
              {value}
            </Box>
          </Fragment>
        ))}
      </FactList>
    </AppDialog>
  );
}
