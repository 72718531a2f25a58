import type { Recipe } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { CopyMenu } from "../../components/CopyMenu.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { useValues } from "../../components/form/use-form.ts";
import { curlOf, gmsaasOf } from "../../shared/commands.ts";
import { numberedNames } from "./device-name.ts";
import { recipeLinks } from "./recipe-link.ts";
import { startBodyOf } from "./recipes.queries.ts";
import type { StartFields } from "./StartSummary.tsx";

/** The start that the dialog would ask for, as commands for a shell, and the link that asks for its recipe. */
export function CopyStart({ recipe: { uuid }, form }: { recipe: Recipe; form: AppForm<StartFields> }) {
  const { t } = useTranslation();
  const { instance_name: name, idle, count, queue } = useValues(form);
  const names = numberedNames(name.trim(), count);
  const lines = (command: (name: string) => string) => () => names.map(command).join("\n");
  const path = `/v1/recipes/${uuid}/start-disposable`;
  return (
    <CopyMenu
      label={t("recipes.start.copyAs.label")}
      choices={[
        {
          label: t("recipes.start.copyAs.curl"),
          text: lines((each) =>
            curlOf({ method: "POST", path, body: startBodyOf({ name: each, idle, queue }) }, location.origin),
          ),
        },
        {
          label: t("recipes.start.copyAs.gmsaas"),
          text: lines((each) => gmsaasOf(["instances", "start", uuid, each], location.origin)),
        },
        ...recipeLinks(t, uuid, location.origin).map(({ label, text }) => ({ label, text: () => text })),
      ]}
    />
  );
}
