import { Box, Button, IconButton, Paper, Skeleton, Typography } from "@mui/material";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import Ellipsis from "lucide-react/icons/ellipsis";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { Delayed } from "../Delayed.tsx";
import { Icon } from "../Icon.tsx";
import type { ListCard, RowAction } from "./list.ts";
import { RowMenu } from "./RowMenu.tsx";
import type { ListState } from "./use-list.ts";

/** The rows on a phone: a card for each. */
export function ListCards<Row extends object, Context>({ state }: { state: ListState<Row, Context> }) {
  const { list, context, rows } = state;
  const { t } = useTranslation();
  if (!rows)
    return (
      <Delayed>
        {[1, 2, 3].map((card) => (
          <Skeleton key={card} variant="rounded" height={100} animation={false} sx={{ mb: 2, borderRadius: "10px" }} />
        ))}
      </Delayed>
    );
  return (
    <Box component="ul" aria-label={list.words(t).label} sx={cards}>
      {rows.map((row) => (
        <Card
          key={list.idOf(row)}
          card={list.card(row, context)}
          isFresh={state.fresh.has(list.idOf(row))}
          details={
            list.details && {
              content: state.expanded.has(list.idOf(row)) && list.details(row, context),
              toggle: () => state.toggle(list.idOf(row)),
            }
          }
          actions={list.actions?.(row, context).filter(({ reason }) => reason === undefined) ?? []}
        />
      ))}
    </Box>
  );
}

interface CardProps {
  card: ListCard;
  actions: readonly RowAction[];
  isFresh: boolean;
  details: { content: React.ReactNode; toggle: () => void } | undefined;
}

function Card({ card, actions, isFresh, details }: CardProps) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const main = actions.find(({ isMain }) => isMain);
  const others = actions.filter((action) => action !== main);
  const more = t("common.table.more", { name: card.title });
  return (
    <Paper component="li" variant="outlined" data-fresh={isFresh || undefined} sx={paper}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 3 }}>
        {card.lead}
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography noWrap sx={{ fontWeight: 550 }} component="h2">
            {card.title}
          </Typography>
          <Typography variant="caption" noWrap component="div" sx={{ color: "text.tertiary" }}>
            {card.caption}
          </Typography>
        </Box>
        {card.mark}
      </Box>
      <Box sx={foot}>
        <Box sx={small}>
          {card.facts.map((fact, index) => (
            <Fragment key={index}>
              {index > 0 && <span aria-hidden="true">·</span>}
              {fact}
            </Fragment>
          ))}
        </Box>
        {main && (
          <Button href={main.href} onClick={main.run} sx={{ color: "text.primary" }}>
            <Icon glyph={main.glyph} />
            {main.short}
          </Button>
        )}
        {others.length > 0 && (
          <IconButton
            aria-label={more}
            aria-haspopup="menu"
            aria-expanded={anchor !== undefined}
            sx={{ mr: -2 }}
            onClick={(event) => setAnchor(event.currentTarget)}
          >
            <Icon glyph={Ellipsis} />
          </IconButton>
        )}
        {details && (
          <IconButton
            aria-label={t("common.table.details", { name: card.title })}
            aria-expanded={Boolean(details.content)}
            sx={{ mr: -2 }}
            onClick={details.toggle}
          >
            <Icon glyph={details.content ? ChevronUp : ChevronDown} />
          </IconButton>
        )}
      </Box>
      {details?.content}
      {anchor && <RowMenu label={more} actions={others} anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </Paper>
  );
}

const cards = {
  listStyle: "none",
  m: 0,
  p: 0,
  display: "grid",
  gap: 2,
  gridTemplateColumns: "minmax(0, 1fr)",
} as const;
const paper = {
  p: 3,
  pb: 2,
  borderRadius: "10px",
  boxShadow: "var(--glass-edge)",
  "&[data-fresh]": {
    animation: "terrarium-fresh 2400ms ease-out",
    boxShadow: "inset 2px 0 0 var(--mui-palette-fresh-bar)",
  },
};
const foot = {
  display: "flex",
  alignItems: "center",
  gap: 2,
  minHeight: 44,
  mt: 1,
  "& > button, & > a": { flex: "none" },
} as const;
/** What people and machines write may be long: it goes on below, and leaves the buttons their room. */
const small = {
  flex: 1,
  minWidth: 0,
  display: "flex",
  flexWrap: "wrap",
  columnGap: 2,
  typography: "caption",
  color: "text.tertiary",
  "& > span": {
    display: "-webkit-box",
    WebkitBoxOrient: "vertical",
    WebkitLineClamp: 2,
    minWidth: 0,
    overflow: "hidden",
    overflowWrap: "anywhere",
  },
  // A fact may have nothing to say.
  "& > [aria-hidden]:last-child": { display: "none" },
} as const;
