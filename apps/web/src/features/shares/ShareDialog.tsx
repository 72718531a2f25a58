import "../../en/shares.ts";
import { useQuery } from "@tanstack/react-query";
import type { Recipe } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { snack } from "../../components/snack-queue.ts";
import type { Me } from "../../session/user.ts";
import { LoadingShare } from "../../shared/LoadingShare.tsx";
import { shareOf } from "./shares.queries.ts";

const ShareForm = lazy(() => fetchCode(() => import("./ShareForm.tsx")));

/** Whom a recipe is shared with. The dialog opens at once; its code and the current recipients are loaded into it. */
export function ShareDialog({ recipe, me, onClose }: { recipe: Recipe; me: Me; onClose: () => void }) {
  const { t } = useTranslation();
  const { share } = recipe;
  const { data, error } = useQuery({ ...shareOf(share?.uuid ?? ""), enabled: share !== null, staleTime: 0, gcTime: 0 });
  const giveUp = useEffectEvent((why: Error) => {
    const isGone = why instanceof AppError && why.code === "SHARE_NOT_FOUND";
    snack("error", t(isGone ? "errors.shareNotFound" : "errors.shareRecipe"));
    onClose();
  });
  useEffect(() => {
    if (error && !data) giveUp(error);
  }, [error, data]);
  return (
    <AppDialog isLarge width={560} title={t("recipes.share.title", recipe)} onClose={onClose}>
      <Suspense fallback={<LoadingShare />}>
        {share && !data ? <LoadingShare /> : <ShareForm recipe={recipe} me={me} share={data} onClose={onClose} />}
      </Suspense>
    </AppDialog>
  );
}
