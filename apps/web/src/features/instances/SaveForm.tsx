import "../../en/limits.ts";
import { Alert, Button } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { copyOf, type Instance, limits, maxLength, required, type SaveAction, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { DialogBody } from "../../components/DialogBody.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useFormState } from "../../components/form/use-form.ts";
import { saveDevice } from "../../shared/instances.queries.ts";
import { createsImage } from "./save-rules.ts";

interface Props {
  device: Instance;
  action: SaveAction;
  /** To the choice, if there was one. */
  onBack: (() => void) | undefined;
  onClose: () => void;
  onSaving: () => void;
}

/** As the service calls them, so that what it finds wrong with one is said there. */
interface SaveFields {
  new_recipe_name: string;
  new_os_image_name: string;
}

const nameRules = [required, maxLength(limits.textLength), visible];

/** What the recipe and its OS image are called; names of what is there already stay as they are. */
export function SaveForm({ device, action, onBack, onClose, onSaving }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: save } = useMutation(saveDevice);
  const isNewRecipe = action === "save_as";
  const isNewImage = createsImage(device, action);
  const recipe = device.recipe?.name ?? "";
  const form = useAppForm<SaveFields>({
    initial: {
      new_recipe_name: isNewRecipe ? copyOf(recipe) : recipe,
      new_os_image_name: isNewImage ? copyOf(device.os_image.name) : device.os_image.name,
    },
    rules: {
      ...(isNewRecipe && { new_recipe_name: nameRules }),
      ...(isNewImage && { new_os_image_name: nameRules }),
    },
    send: async ({ new_recipe_name, new_os_image_name }) => {
      await save({
        device,
        action,
        ...(isNewRecipe && { new_recipe_name: new_recipe_name.trim() }),
        ...(isNewImage && { new_os_image_name: new_os_image_name.trim() }),
      });
      onSaving();
    },
    refusalOf: (code) => {
      switch (code) {
        case "RECIPE_MUST_NOT_BE_SAVING":
          return t("recipes.savingRecipe");
        case "INSTANCE_NOT_ONLINE":
          return t("launchpad.deviceActions.unlessSave.notOnline");
        case "INSTANCE_HAS_NO_RECIPE":
          return t("launchpad.deviceActions.unlessSave.noRecipe");
        case "INSTANCE_SAVE_NOT_ALLOWED":
        case "RECIPE_NOT_OWNED":
          return t("launchpad.deviceActions.unlessSave.notAllowed");
        case "RUNTIME_CANNOT_SAVE":
          return t("launchpad.deviceActions.unlessSave.cannotSave");
        case "INSTANCE_NOT_FOUND":
        case "INSTANCE_ENDED":
          return t("errors.deviceNotFound");
        case "TOO_MANY_RECIPES":
          return t("errors.tooManyRecipes");
        case "TOO_MANY_OS_IMAGES":
          return t("errors.tooManyOSImages");
        case "TOO_MUCH_SAVED":
          return t("errors.tooMuchSaved");
        default:
          return t(isNewRecipe ? "errors.createRecipe" : "errors.updateRecipe");
      }
    },
  });
  const isValid = useFormState(form, (state) => state.isValid);
  return (
    <DialogBody
      actions={
        <>
          {onBack && (
            <Button variant="text" sx={{ mr: "auto" }} onClick={onBack}>
              {t("launchpad.saveDialog.back")}
            </Button>
          )}
          <Button variant="text" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <SubmitButton form={form} busy={t("launchpad.saveDialog.busy")} disabled={!isValid}>
            {t(`launchpad.saveDialog.${isNewRecipe ? "confirmSaveAs" : "confirmUpdate"}`)}
          </SubmitButton>
        </>
      }
    >
      <Alert severity="info" sx={{ overflowWrap: "anywhere" }}>
        {t("launchpad.saveDialog.note", { name: device.name })}
      </Alert>
      <Form form={form} takesFocus>
        <TextField
          form={form}
          name="new_recipe_name"
          label={t("launchpad.saveDialog.recipeName")}
          help={isNewRecipe ? undefined : t("launchpad.saveDialog.keepsRecipe")}
          disabled={!isNewRecipe}
          max={limits.textLength}
          countsDown
          autoComplete="off"
        />
        <TextField
          form={form}
          name="new_os_image_name"
          label={t("launchpad.saveDialog.imageName")}
          help={isNewImage ? undefined : t("launchpad.saveDialog.keepsImage")}
          disabled={!isNewImage}
          max={limits.textLength}
          countsDown
          autoComplete="off"
        />
      </Form>
    </DialogBody>
  );
}
