import { Button, Typography } from "@mui/material";
import type { Organization } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import type { Me } from "../../session/user.ts";
import { RunningDevices } from "../../shared/RunningDevices.tsx";
import { TrialDialog } from "../../shared/trial/TrialDialog.tsx";
import { startErrorKey } from "./start-error.ts";

interface Props {
  code: string;
  me: Me;
  /** The name of what was to be started. */
  recipe: string;
  /** Not there for guests, and while it loads. */
  organization: Organization | undefined;
  onClose: () => void;
  /** Starts it after all. */
  onRetry: () => void;
}

/**
 * No more devices for now: how many run, what can be stopped, and who can change the limit. While a licence waits to be confirmed, a
 * trial is the way to more devices.
 */
export function LimitDialog({ code, me, recipe, organization, onClose, onRetry }: Props) {
  const { t } = useTranslation();
  const { running_instances: used = 0, license } = organization ?? {};
  const max = license?.instances.max ?? Number.POSITIVE_INFINITY;
  const isTrial = code === "TOO_MANY_RUNNING_VDS" && license?.type === "pending" && license.trial?.state !== "APPROVED";
  // Operators start nothing.
  const role = me.role === "operator" ? "guest" : me.role;
  const isFull = code === "TOO_MANY_RUNNING_VDS" && used >= max;
  if (isTrial && organization && role === "manager" && license.trial?.state !== "REQUESTED")
    return (
      <TrialDialog me={me} organization={organization.uuid} onClose={onClose}>
        <Typography>
          {t("recipes.startErrors.TOO_MANY_RUNNING_VDS")}{" "}
          {t("recipes.trial.lead", { organization: organization.name, count: max })}
        </Typography>
      </TrialDialog>
    );
  return (
    <AppDialog
      isLarge
      width={560}
      title={t(isTrial ? "recipes.trial.title" : "recipes.limit.title")}
      onClose={onClose}
      dismiss={t("recipes.limit.back")}
      actions={
        <Button variant="contained" color="primary" disabled={isFull} onClick={onRetry}>
          {t("recipes.start.submit", { count: 1 })}
        </Button>
      }
    >
      <Typography>{t(`recipes.startErrors.${startErrorKey(code, me.role)}`)}</Typography>
      {isTrial && organization && (
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {t("recipes.trial.lead", { organization: organization.name, count: max })} {t(`recipes.trial.${role}`)}
        </Typography>
      )}
      <Typography color="textSecondary" sx={{ my: 2, overflowWrap: "anywhere" }}>
        {organization && <span aria-live="polite">{t("recipes.limit.running", { used, max })} </span>}
        {t(`recipes.limit.${isFull || !organization ? role : "room"}`, { recipe })}
      </Typography>
      <RunningDevices me={me} />
    </AppDialog>
  );
}
