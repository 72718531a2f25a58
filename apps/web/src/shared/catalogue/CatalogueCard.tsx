import "../../en/catalogue.ts";
import { Box, Button, IconButton, Paper, Tooltip, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import Ellipsis from "lucide-react/icons/ellipsis";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import type { RowAction } from "../../components/list/list.ts";
import { RowMenu } from "../../components/list/RowMenu.tsx";
import { Tag } from "../../components/Tag.tsx";
import { Stage } from "../Stage.tsx";

interface Props {
  name: string;
  /** What it looks like, on a stage of `PICTURE_ROOM`. */
  picture: React.ReactNode;
  /** Below the name: where it comes from. */
  caption: React.ReactNode;
  description?: string;
  tags: readonly string[];
  /** In the foot, beside the main action. */
  facts?: string;
  /** Before the tags: what is unusual about its status. */
  chip?: React.ReactNode;
  /** Pressing the name. */
  open: () => void;
  /** The main one has a button, and only that says why it cannot be used. */
  actions: readonly RowAction[];
  /** Something is being done with it. */
  isBusy?: boolean;
  /** That is the main action, as it is unless said otherwise. */
  isMainBusy?: boolean;
}

/** The room for the picture, in CSS pixels. */
export const PICTURE_ROOM = { width: 76, height: 116 };

/** One thing of a catalogue. */
export function CatalogueCard(props: Props) {
  const {
    name,
    picture,
    caption,
    description,
    tags,
    facts,
    chip,
    open,
    actions,
    isBusy = false,
    isMainBusy = isBusy,
  } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const main = actions.find(({ isMain }) => isMain);
  const others = actions.filter((action) => action !== main && action.reason === undefined);
  const more = t("catalogue.more", { name });
  return (
    <Paper component="li" variant="outlined" aria-labelledby={titleId} aria-busy={isBusy} sx={card}>
      <Stage sx={stage}>{picture}</Stage>
      <Box sx={body}>
        <Box sx={{ display: "flex", alignItems: "flex-start", gap: 1 }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography variant="h3" component="h2" id={titleId} noWrap title={name} sx={heading}>
              <Box component="button" type="button" onClick={open} sx={title}>
                {name}
              </Box>
            </Typography>
            <Typography variant="caption" component="div" noWrap sx={{ color: "text.tertiary" }}>
              {caption}
            </Typography>
          </Box>
          {others.length > 0 && (
            <IconButton
              size="small"
              aria-label={more}
              aria-haspopup="menu"
              aria-expanded={anchor !== undefined}
              sx={{ mt: -1, mr: -2 }}
              onClick={(event) => setAnchor(event.currentTarget)}
            >
              <Icon glyph={Ellipsis} />
            </IconButton>
          )}
        </Box>
        {description && (
          <Typography variant="body2" title={description} sx={twoLines}>
            {description}
          </Typography>
        )}
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, flexWrap: "wrap" }}>
          {chip}
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </Box>
        <Box sx={foot}>
          <Typography variant="caption" noWrap sx={{ flex: 1, color: "text.tertiary" }}>
            {facts}
          </Typography>
          {main && <MainAction action={main} isBusy={isMainBusy} />}
        </Box>
      </Box>
      {anchor && <RowMenu label={more} actions={others} anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </Paper>
  );
}

function MainAction({ action: { glyph, label, short, reason, run }, isBusy }: { action: RowAction; isBusy: boolean }) {
  const isOff = reason !== undefined || isBusy;
  return (
    <Tooltip title={reason ?? ""}>
      <Button
        size="small"
        aria-label={label}
        aria-description={reason}
        aria-disabled={isOff || undefined}
        onClick={() => !isOff && run?.()}
        sx={{ flex: "none", ...(reason !== undefined && { "&[aria-disabled]": { opacity: 0.45, cursor: "default" } }) }}
      >
        <Icon glyph={glyph} size={14} spins={isBusy} />
        {short}
      </Button>
    </Tooltip>
  );
}

const card = {
  display: "grid",
  gridTemplateColumns: "104px minmax(0, 1fr)",
  minHeight: 176,
  borderRadius: "10px",
  overflow: "hidden",
  boxShadow: "var(--glass-edge)",
};
const stage = (theme: Theme) => ({ placeItems: "center", borderRight: `1px solid ${theme.vars.palette.divider}` });
const body = { display: "flex", flexDirection: "column", gap: 2, p: 4, pb: 3, minWidth: 0 };
/** On a phone a finger may come down around the name. What is outside the heading is cut, also of the button. */
const heading = {
  m: { xs: "-12px -4px", sm: "-4px" },
  p: { xs: "12px 4px", sm: "4px" },
  position: "relative",
  "& > button": { my: { xs: "-12px", sm: 0 }, py: { xs: "12px", sm: 0 } },
} as const;
const title = {
  all: "unset",
  display: "block",
  maxWidth: "100%",
  overflow: "hidden",
  textOverflow: "ellipsis",
  cursor: "pointer",
  "&:hover": { textDecoration: "underline" },
  "&:focus-visible": { outline: "2px solid var(--mui-palette-focus)", outlineOffset: 2, borderRadius: "2px" },
};
const twoLines = {
  color: "text.secondary",
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: 2,
  overflow: "hidden",
  overflowWrap: "anywhere",
} as const;
const foot = { display: "flex", alignItems: "center", gap: 2, mt: "auto", pt: 1, minHeight: 36 };
