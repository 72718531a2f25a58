import "../../en/devices.ts";
import { Button, Typography } from "@mui/material";
import type { Instance, SaveAction } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { ChoiceButton } from "../../components/ChoiceButton.tsx";
import { DialogBody } from "../../components/DialogBody.tsx";
import type { Me } from "../../session/user.ts";
import { SaveForm } from "./SaveForm.tsx";
import { isBeingSaved, ownsRecipe, whyNotSavable } from "./save-rules.ts";

interface Props {
  device: Instance;
  me: Me;
  onClose: () => void;
  /** It is being saved from now on. */
  onSaving?: () => void;
}

/** Saves a device: into its recipe, if that is one's own, or as a new one. Says why if it cannot be saved. */
export function SaveDialog({ device, me, onClose, onSaving = onClose }: Props) {
  const { t } = useTranslation();
  const canChoose = ownsRecipe(device, me);
  const [action, setAction] = useState<SaveAction | undefined>(canChoose ? undefined : "save_as");
  const title = t("launchpad.saveDialog.title", { name: device.name });
  // As it was when this was asked for: once it is being saved it cannot be saved again, which is no news here.
  const [reason] = useState(() => whyNotSavable(device, me));
  if (reason)
    return (
      <AppDialog title={title} onClose={onClose} dismiss={t("common.close")}>
        <Typography>{t(`launchpad.deviceActions.unlessSave.${reason}`)}</Typography>
      </AppDialog>
    );
  return (
    <AppDialog isLarge width={520} title={title} onClose={onClose}>
      {action === undefined ? (
        <Choice device={device} onChoose={setAction} onClose={onClose} />
      ) : (
        <SaveForm
          device={device}
          action={action}
          onBack={canChoose ? () => setAction(undefined) : undefined}
          onClose={onClose}
          onSaving={onSaving}
        />
      )}
    </AppDialog>
  );
}

interface ChoiceProps {
  device: Instance;
  onChoose: (action: SaveAction) => void;
  onClose: () => void;
}

/** Whether to update one's recipe or to create another. */
function Choice({ device, onChoose, onClose }: ChoiceProps) {
  const { t } = useTranslation();
  const recipe = device.recipe?.name ?? "";
  return (
    <DialogBody
      actions={
        <Button variant="text" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      }
    >
      <ChoiceButton
        title={t("launchpad.saveDialog.update", { recipe })}
        help={t("launchpad.saveDialog.updateHelp")}
        reason={isBeingSaved(device) ? t("recipes.savingRecipe") : undefined}
        onClick={() => onChoose("update")}
      />
      <ChoiceButton
        title={t("launchpad.saveDialog.saveAs")}
        help={t("launchpad.saveDialog.saveAsHelp", { recipe })}
        onClick={() => onChoose("save_as")}
      />
    </DialogBody>
  );
}
