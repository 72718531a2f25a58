import "../../en/recipes.ts";
import { Box } from "@mui/material";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { RecipesLoading } from "./RecipesLoading.tsx";
import type { StartFormProps } from "./StartForm.tsx";

/** Brings what stands in the dialog. Done beforehand, there is nothing to wait for when it is opened. */
export const fetchStartForm = () => fetchCode(() => import("./StartForm.tsx"));
const StartForm = lazy(fetchStartForm);

/** Choose a recipe, name the device, start it. The dialog is there at once; its code and the recipes arrive in it. */
export function StartDialog(props: StartFormProps) {
  const { t } = useTranslation();
  return (
    <AppDialog isLarge title={t("recipes.start.title")} onClose={props.onClose} width={912} height={672}>
      <Suspense
        fallback={
          <Box aria-busy="true" sx={{ flex: 1, px: 3, pt: 4, borderTop: 1, borderColor: "divider" }}>
            <RecipesLoading />
          </Box>
        }
      >
        <StartForm {...props} />
      </Suspense>
    </AppDialog>
  );
}
