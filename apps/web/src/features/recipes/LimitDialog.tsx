import { Typography } from "@mui/material";
import type { Organization } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import type { Role } from "../../session/session.ts";
import { AppDialog } from "../../components/AppDialog.tsx";
import { startErrorKey } from "./start-error.ts";

interface Props {
  code: string;
  role: Role;
  /** The name of what was to be started. */
  recipe: string;
  organization: Organization | undefined;
  onClose: () => void;
}

/** No more devices for now: how many run, and who can change that. */
export function LimitDialog({ code, role, recipe, organization, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <AppDialog title={t("recipes.limit.title")} onClose={onClose} dismiss={t("recipes.limit.back")}>
      <Typography>{t(`recipes.startErrors.${startErrorKey(code, role)}`)}</Typography>
      {organization && (
        <Typography color="textSecondary" sx={{ mt: 2 }}>
          {t("recipes.limit.running", {
            used: organization.running_instances,
            max: organization.license.instances.max,
          })}
        </Typography>
      )}
      <Typography color="textSecondary" sx={{ mt: 2, overflowWrap: "anywhere" }}>
        {t(`recipes.limit.${role}`, { recipe })}
      </Typography>
    </AppDialog>
  );
}
