import { Box } from "@mui/material";
import type { Recipe } from "@terrarium/contract";
import UsersRound from "lucide-react/icons/users-round";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { Origin } from "../../shared/catalogue/Origin.tsx";

interface Props {
  recipe: Recipe;
  /** The uuid of whoever looks. */
  me: string;
}

/** Where a recipe comes from: who has shared it with whoever looks, or else whose it is and that it is shared. */
export function RecipeOrigin({ recipe, me }: Props) {
  const { t } = useTranslation();
  const { share, right } = recipe;
  const isReceived = right === "guest" || right === "collaborator";
  const sharer = isReceived ? share?.shared_by : undefined;
  return (
    <>
      {!sharer && <Origin item={recipe} me={me} />}
      {share && (
        <Box
          component="span"
          sx={{
            display: "inline-flex",
            alignItems: "center",
            gap: 1,
            ...(sharer ? { minWidth: 0 } : { flex: "none" }),
          }}
        >
          <Icon glyph={UsersRound} size={14} />
          <Box component="span" sx={{ overflow: "hidden", textOverflow: "ellipsis" }}>
            {sharer ? t("recipes.page.sharedBy", { name: nameOf(sharer) }) : t("recipes.page.shared")}
          </Box>
        </Box>
      )}
    </>
  );
}
