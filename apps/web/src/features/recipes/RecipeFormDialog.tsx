import "../../en/limits.ts";
import { Box } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import {
  type Arch,
  copyOf,
  type HardwareProfile,
  limits,
  maxLength,
  type OsImage,
  type Recipe,
  required,
  visible,
} from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/form/TextField.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { useAppForm, useField, useValues } from "../../components/form/use-form.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { formFactorOf, FormFactorTile, shapeOf, shapes } from "../../shared/FormFactorTile.tsx";
import { Arch as ArchLine, Stage } from "../../shared/Stage.tsx";
import { PartField } from "./PartField.tsx";
import { imageChoices, profileChoices } from "./parts.queries.ts";
import { createRecipe, duplicateRecipe, editRecipe } from "./recipe-changes.queries.ts";
import { imageLine, profileLine } from "./recipe-texts.ts";

interface Fields {
  /** Each as the service calls it, so that what it finds wrong is said there. */
  name: string;
  description: string;
  hardware_profile_uuid: HardwareProfile | null;
  os_image_uuid: OsImage | null;
}

interface Props {
  what: "create" | "duplicate" | "edit";
  /** The recipe that is edited or copied. */
  recipe?: Recipe;
  /** The revision of it that is edited. */
  revision?: number;
  /** What the organization can run; undefined while that loads. */
  supported: readonly Arch[] | undefined;
  /** Somebody else has changed the recipe; what it is now should be shown. */
  onStale?: () => Promise<void>;
  onClose: () => void;
  onDone: (recipe: Recipe) => void;
}

const chosen = (part: object | null) => (part ? undefined : ({ says: "required" } as const));
const fits = (profile: HardwareProfile | null, image: OsImage | null): boolean =>
  !profile || !image || image.form_factors.includes(profile.form_factor);

/** Asks for the name and the parts of a recipe. A recipe that lost a part gets another one here. */
export function RecipeFormDialog({ what, recipe, revision, supported, onStale, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const create = useMutation(createRecipe);
  const duplicate = useMutation(duplicateRecipe);
  const edit = useMutation(editRecipe);
  const { name = "", description = "", hardware_profile: profile = null, os_image: image = null } = recipe ?? {};
  const isSupported = (part: OsImage | null) =>
    !part || part.uuid === image?.uuid || !supported || supported.includes(part.arch);
  const form = useAppForm<Fields>({
    initial: {
      name: what === "duplicate" ? copyOf(name) : name,
      description,
      hardware_profile_uuid: profile,
      os_image_uuid: image,
    },
    rules: {
      name: [required, maxLength(limits.textLength), visible],
      description: [maxLength(limits.textLength), visible],
      hardware_profile_uuid: [chosen],
      os_image_uuid: [
        chosen,
        (part, { hardware_profile_uuid: other }) => (fits(other, part) ? undefined : { says: "formFactor" }),
        (part) => (isSupported(part) ? undefined : { says: "arch" }),
      ],
    },
    send: async ({ name: typed, description: said, hardware_profile_uuid, os_image_uuid }) => {
      if (!hardware_profile_uuid || !os_image_uuid) return;
      const body = {
        name: typed.trim(),
        description: said.trim(),
        hardware_profile_uuid: hardware_profile_uuid.uuid,
        os_image_uuid: os_image_uuid.uuid,
      };
      if (what === "edit" && recipe) {
        onDone(await edit.mutateAsync({ uuid: recipe.uuid, body: { ...body, revision } }));
      } else onDone(await (what === "create" ? create : duplicate).mutateAsync(body));
    },
    refusalOf: (code) => {
      switch (code) {
        case "HARDWARE_PROFILE_NOT_FOUND":
          return { field: "hardware_profile_uuid", says: t("recipes.form.isGone") };
        case "OS_IMAGE_NOT_FOUND":
          return { field: "os_image_uuid", says: t("recipes.form.isGone") };
        case "FORM_FACTOR_MISMATCH":
          return { field: "os_image_uuid", says: t("errors.forms.formFactor") };
        case "ARCH_NOT_SUPPORTED":
          return { field: "os_image_uuid", says: t("errors.forms.arch") };
        case "RECIPE_MUST_NOT_BE_SAVING":
          return t("recipes.savingRecipe");
        case "TOO_MANY_RECIPES":
          return t("errors.tooManyRecipes");
        case "RECIPE_CHANGED":
          void onStale?.();
          return t("errors.recipeChanged");
        case "RECIPE_NOT_FOUND":
          return t("errors.recipeNotFound");
        case "RECIPE_NOT_ALLOWED":
          return t("errors.recipeNotAllowed");
        default:
          return t(`errors.${what}Recipe`);
      }
    },
  });

  return (
    <FormDialog
      title={t(`recipes.form.${what}.title`, { name })}
      form={form}
      submit={t(`recipes.form.${what}.submit`)}
      busy={t(`recipes.form.${what}.busy`)}
      onClose={onClose}
      width={640}
    >
      <Box sx={columns}>
        <Box sx={{ display: "grid", gap: 3, alignContent: "start", minWidth: 0 }}>
          <TextField
            form={form}
            name="name"
            label={t("recipes.form.name")}
            max={limits.textLength}
            countsDown
            autoComplete="off"
          />
          <TextField
            form={form}
            name="description"
            label={t("recipes.form.description")}
            help={t("recipes.form.descriptionHelp")}
            max={limits.textLength}
            autoComplete="off"
          />
        </Box>
        <Preview form={form} />
      </Box>
      <Parts form={form} isSupported={isSupported} imageHelp={what === "duplicate" ? "duplicateHelp" : "imageHelp"} />
    </FormDialog>
  );
}

interface PartsProps {
  form: AppForm<Fields>;
  isSupported: (image: OsImage | null) => boolean;
  imageHelp: "duplicateHelp" | "imageHelp";
}

function Parts({ form, isSupported, imageHelp }: PartsProps) {
  const { t } = useTranslation();
  const profile = useField<HardwareProfile | null>(form, "hardware_profile_uuid");
  const image = useField<OsImage | null>(form, "os_image_uuid");
  /** Said at once, as either of the two fields may have been changed last. */
  const wrongImage = () => {
    const { value } = image;
    if (value && !fits(profile.value, value)) {
      const runsOn = shapes.filter((shape) => value.form_factors.some((factor) => factor === formFactorOf(shape)));
      return t("recipes.form.mismatch", {
        image: value.name,
        shapes: runsOn.map((shape) => t(`launchpad.shapes.${shape}`)).join(", "),
      });
    }
    if (value && !isSupported(value)) return t("recipes.form.archNotSupported", { arch: value.arch });
    return image.error;
  };
  return (
    <>
      <PartField
        label={t("recipes.form.profile")}
        help={t("recipes.form.profileHelp")}
        error={profile.error}
        value={profile.value}
        onChange={profile.onChange}
        onBlur={profile.onBlur}
        choices={profileChoices}
        describe={(part) => profileLine(t, part)}
        mark={(part) => <FormFactorTile shape={shapeOf(part)} />}
      />
      <PartField
        label={t("recipes.form.image")}
        help={t(`recipes.form.${imageHelp}`)}
        error={wrongImage()}
        value={image.value}
        onChange={image.onChange}
        onBlur={image.onBlur}
        choices={imageChoices}
        describe={(part) => imageLine(t, part)}
      />
    </>
  );
}

function Preview({ form }: { form: AppForm<Fields> }) {
  const { hardware_profile_uuid: profile } = useValues(form);
  return (
    <Stage sx={stage}>
      <ArchLine sx={{ width: 116, height: 110 }} />
      {profile && <DeviceDrawing profile={profile} within={{ width: 132, height: 116 }} />}
    </Stage>
  );
}

const columns = {
  display: "grid",
  gap: 4,
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(0, 1fr) 176px" },
};
const stage = {
  display: { xs: "none", sm: "grid" },
  placeItems: "center",
  minHeight: 148,
  borderRadius: "10px",
  boxShadow: "inset 0 0 0 1px var(--mui-palette-divider)",
};
