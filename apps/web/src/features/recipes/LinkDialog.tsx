import { Box, IconButton, Tooltip, Typography } from "@mui/material";
import type { Recipe } from "@terrarium/contract";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Icon } from "../../components/Icon.tsx";
import { TextInput } from "../../components/TextInput.tsx";
import { useCopy } from "../../components/use-copy.ts";
import { badge, recipeLinks } from "./recipe-link.ts";

/** The link to the page that starts a recipe, and the badge that carries it on other pages. */
export function LinkDialog({ recipe, onClose }: { recipe: Recipe; onClose: () => void }) {
  const { t } = useTranslation();
  const [link, ...badges] = recipeLinks(t, recipe.uuid, location.origin);
  return (
    <AppDialog
      title={t("recipes.linkDialog.title", { name: recipe.name })}
      onClose={onClose}
      dismiss={t("common.close")}
      width={560}
    >
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {t("recipes.linkDialog.help")}
      </Typography>
      <Box sx={{ display: "grid", gap: 4 }}>
        <Copyable label={link.label} text={link.text} />
        <Box>
          <Typography variant="label" component="p" sx={{ mb: 2 }}>
            {t("recipes.linkDialog.badge")}
          </Typography>
          <img {...badge} alt={badge.alt} style={{ display: "block" }} />
        </Box>
        {badges.map(({ id, label, text }) => (
          <Copyable key={id} label={label} text={text} />
        ))}
      </Box>
    </AppDialog>
  );
}

function Copyable({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy();
  const action = isCopied ? t("common.copied") : t("recipes.linkDialog.copy", { label });
  return (
    <TextInput
      label={label}
      value={text}
      readOnly
      sx={{ typography: "mono", pr: 1 }}
      onFocus={({ target }) => target.select()}
      endAdornment={
        <Tooltip title={action}>
          <IconButton aria-label={action} onClick={() => copy(text)}>
            <Icon glyph={isCopied ? Check : Copy} />
          </IconButton>
        </Tooltip>
      }
    />
  );
}
