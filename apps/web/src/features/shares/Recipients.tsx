import { Box, Typography } from "@mui/material";
import type { Share } from "@terrarium/contract";
import Building from "lucide-react/icons/building-2";
import X from "lucide-react/icons/x";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../../components/announce.ts";
import { Icon } from "../../components/Icon.tsx";
import { nameOf, PersonMark } from "../../components/PersonMark.tsx";
import { ToolButton } from "../../components/ToolButton.tsx";
import { listRow, rowList } from "../../shared/row-list.ts";

interface Props {
  people: Share["recipients"]["users"];
  organizations: Share["organizations"];
  /** Takes one of them off the list. */
  onRemove: (uuid: string) => void;
}

/** Whom a recipe is shared with already. */
export function Recipients({ people, organizations, onRemove }: Props) {
  const { t } = useTranslation();
  const element = useRef<HTMLUListElement>(null);
  if (people.length + organizations.length === 0) return null;
  const take = (uuid: string, name: string) => {
    announce(t("recipes.share.removed", { name }));
    // The button had it, and goes with its row.
    element.current?.focus();
    onRemove(uuid);
  };
  const rows = [
    ...organizations.map(({ uuid, name }) => ({
      uuid,
      name: t("recipes.share.everyone", { name }),
      email: undefined,
      mark: <Icon glyph={Building} size={18} />,
    })),
    ...people.map((person) => ({
      uuid: person.uuid,
      name: nameOf(person),
      email: nameOf(person) === person.email ? undefined : person.email,
      mark: <PersonMark person={person} size={28} />,
    })),
  ];
  return (
    <div>
      <Typography variant="label" component="h3" sx={{ mb: 1 }}>
        {t("recipes.share.list")}
      </Typography>
      <Box component="ul" ref={element} tabIndex={-1} aria-label={t("recipes.share.list")} sx={rowList}>
        {rows.map(({ uuid, name, email, mark }) => (
          <Box component="li" key={uuid} sx={listRow}>
            <Box sx={{ display: "grid", placeItems: "center", width: 28 }}>{mark}</Box>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography variant="body2" noWrap title={name} sx={{ fontWeight: 550 }}>
                {name}
              </Typography>
              {email && (
                <Typography variant="caption" component="div" noWrap title={email} sx={{ color: "text.tertiary" }}>
                  {email}
                </Typography>
              )}
            </Box>
            <ToolButton glyph={X} label={t("recipes.share.remove", { name })} onClick={() => take(uuid, name)} />
          </Box>
        ))}
      </Box>
    </div>
  );
}
