import { Box } from "@mui/material";
import type { Person } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { nameOf, PersonMark } from "../components/PersonMark.tsx";
import { useMe } from "../session/user.ts";

/** In a list: whose it is. */
export function PersonCell({ person }: { person: Person }) {
  const { t } = useTranslation();
  return (
    <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 2 }} title={person.email}>
      <PersonMark person={person} />
      <Box component="span" sx={{ overflow: "hidden", textOverflow: "ellipsis" }}>
        {person.uuid === useMe().uuid ? t("common.you") : nameOf(person)}
      </Box>
    </Box>
  );
}
