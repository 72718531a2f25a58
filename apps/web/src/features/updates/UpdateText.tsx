import "../../en/updates.ts";
import { Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { monthAndYear } from "../../components/dates.ts";
import { monthOf, type UpdateId } from "./updates.ts";

/** When an entry came, and what it says. Its title is its own matter. */
export function UpdateText({ id }: { id: UpdateId }) {
  const { t } = useTranslation();
  return (
    <>
      <Typography variant="caption" component="p" color="textSecondary">
        <time dateTime={monthOf(id)}>{monthAndYear(`${monthOf(id)}-15T12:00:00`, id)}</time>
      </Typography>
      {t(`updates.entries.${id}.text`, { returnObjects: true }).map((paragraph) => (
        <Typography key={paragraph} color="textSecondary" sx={{ mt: 1.5 }}>
          {paragraph}
        </Typography>
      ))}
    </>
  );
}
