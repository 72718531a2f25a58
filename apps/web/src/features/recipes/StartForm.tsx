import "../../en/recipes.ts";
import { Box, Button, DialogActions, Typography, useMediaQuery } from "@mui/material";
import {
  type Instance,
  limits,
  maxLength,
  type Organization,
  type Recipe,
  required,
  visible,
} from "@terrarium/contract";
import CornerDownLeft from "lucide-react/icons/corner-down-left";
import { useTranslation } from "react-i18next";
import { SubmitButton } from "../../components/form/Form.tsx";
import { useAppForm, useFormState } from "../../components/form/use-form.ts";
import { Icon } from "../../components/Icon.tsx";
import type { Me } from "../../session/user.ts";
import { CopyStart } from "./CopyStart.tsx";
import { deviceNameOf, numberedNames } from "./device-name.ts";
import { LicenseHint } from "./LicenseHint.tsx";
import { LimitDialog } from "./LimitDialog.tsx";
import { RecipePane } from "./RecipePane.tsx";
import { whyNotStartable } from "./recipe-state.ts";
import { startErrorKey } from "./start-error.ts";
import { StartSeveral } from "./StartSeveral.tsx";
import { type StartFields, StartSummary } from "./StartSummary.tsx";
import { useRecipePicker } from "./use-recipe-picker.ts";
import { useStart } from "./use-start.ts";
import { useStartSeveral } from "./use-start-several.ts";

export interface StartFormProps {
  me: Me;
  /** Not there for guests, and while it loads. */
  organization: Organization | undefined;
  /** Chosen from the beginning. */
  recipe?: Recipe | undefined;
  onClose: () => void;
  /** With the device, or the first of several, and all of them. */
  onStarted: (instance: Instance, all: readonly Instance[]) => void;
}

/** What stands in the start dialog. Enter starts from the search as well as from the name. */
export default function StartForm({ me, organization, recipe, onClose, onStarted }: StartFormProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const picker = useRecipePicker({
    hasSources: me.role !== "guest",
    first: recipe,
    supported: organization?.os_images_supported_arch,
  });
  const { chosen } = picker;
  const { start, limit, refusal, forget } = useStart();
  const starter = useStartSeveral();
  const canStart = chosen !== undefined && whyNotStartable(chosen) === undefined;
  const form = useAppForm<StartFields>({
    // The name is that of the chosen recipe until somebody types another.
    initial: {
      instance_name: chosen ? deviceNameOf(chosen.name) : "",
      idle: "automatic",
      count: 1,
      queue: organization?.preferences.queue ?? false,
    },
    rules: { instance_name: [required, maxLength(limits.textLength), visible] },
    send: async ({ instance_name: name, idle, count, queue }) => {
      if (!canStart) return;
      if (count > 1) starter.start({ recipe: chosen, idle, queue }, numberedNames(name.trim(), count));
      else {
        const device = await start({ recipe: chosen, name, idle, queue });
        onStarted(device, [device]);
      }
    },
    refusalOf: (code) => t(`recipes.startErrors.${startErrorKey(code, me.role)}`),
  });

  const count = useFormState(form, ({ values }) => values.count);
  if (starter.several)
    return (
      <StartSeveral
        me={me}
        organization={organization}
        starter={starter}
        onDone={(devices) => (devices[0] ? onStarted(devices[0], devices) : onClose())}
      />
    );
  return (
    <>
      <Box sx={panes}>
        <RecipePane picker={picker} onStart={form.submit} />
        <StartSummary
          picker={picker}
          organization={organization}
          form={form}
          hint={<LicenseHint code={refusal} me={me} />}
        />
      </Box>
      <DialogActions sx={{ borderTop: 1, borderColor: "divider" }}>
        {!isPhone && chosen && <CopyStart recipe={chosen} form={form} />}
        <Typography variant="body2" sx={{ flex: 1, color: "text.tertiary", display: { xs: "none", sm: "block" } }}>
          {organization &&
            t("recipes.start.running", {
              used: organization.running_instances,
              max: organization.license.instances.max,
            })}
        </Typography>
        <Button variant="text" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <SubmitButton form={form} busy={t("recipes.start.busy")} disabled={!canStart}>
          {t("recipes.start.submit", { count })}
          {!isPhone && <Icon glyph={CornerDownLeft} size={14} />}
        </SubmitButton>
      </DialogActions>
      {limit && (
        <LimitDialog
          code={limit}
          me={me}
          recipe={chosen?.name ?? ""}
          organization={organization}
          onClose={forget}
          onRetry={form.submit}
        />
      )}
    </>
  );
}

const panes = {
  flex: 1,
  minHeight: 0,
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(0, 1fr) 300px", md: "minmax(0, 1fr) 336px" },
  gridAutoRows: { xs: "max-content", sm: "minmax(0, 1fr)" },
  overflowY: { xs: "auto", sm: "hidden" },
  borderTop: 1,
  borderColor: "divider",
};
