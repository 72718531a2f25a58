import { Alert } from "@mui/material";
import type { Instance, Organization, Recipe } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import type { Me } from "../../session/user.ts";
import { deviceNameOf } from "./device-name.ts";
import { LicenseHint } from "./LicenseHint.tsx";
import { LimitDialog } from "./LimitDialog.tsx";
import type { startDevice } from "./recipes.queries.ts";
import { startErrorKey } from "./start-error.ts";
import { useStart } from "./use-start.ts";

interface Options {
  me: Me;
  /** Not there for guests, and while it loads. */
  organization: Organization | undefined;
  onStarted: (device: Instance, recipe: Recipe) => void;
  /** The mutation, which also says what is announced. */
  value?: typeof startDevice;
}

/** Starts a recipe with one press, under the recipe's name and with the usual timeouts. A press while another start is pending does nothing. */
export function useOnePress({ me, organization, onStarted, value }: Options) {
  const { t } = useTranslation();
  const { start, isBusy, recipe: pressed, limit, hasFailed, refusal, forget } = useStart(value);
  const press = (recipe: Recipe) => {
    if (isBusy) return;
    start({ recipe, name: deviceNameOf(recipe.name), idle: "automatic" }).then(
      (device) => onStarted(device, recipe),
      () => undefined,
    );
  };
  return {
    press,
    isStarting: (recipe: Recipe) => isBusy && recipe === pressed,
    /** Why it did not start: an alert above the recipes, or the dialog that a reached limit takes. */
    failure: (
      <>
        {hasFailed && (
          <Alert severity="error" sx={{ mb: 4, maxWidth: 1160 }}>
            {t(`recipes.startErrors.${startErrorKey(refusal, me.role)}`)} <LicenseHint code={refusal} me={me} />
          </Alert>
        )}
        {limit && pressed && (
          <LimitDialog
            code={limit}
            me={me}
            recipe={pressed.name}
            organization={organization}
            onClose={forget}
            onRetry={() => press(pressed)}
          />
        )}
      </>
    ),
  };
}
