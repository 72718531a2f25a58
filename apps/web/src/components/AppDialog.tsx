import { Box, Dialog, DialogActions, DialogContent, DialogTitle, IconButton, useMediaQuery } from "@mui/material";
import X from "lucide-react/icons/x";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";
import { Snacks } from "./Snacks.tsx";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: React.ReactNode;
  /** Buttons, the primary one last. */
  actions: React.ReactNode;
  /** In pixels. */
  width?: number;
  /** Fills the screen of a phone. */
  isLarge?: boolean;
}

/** A dialog with its title, what it says, and its buttons. Escape and the cross close it. */
export function AppDialog({ title, isOpen, onClose, children, actions, width = 440, isLarge = false }: Props) {
  const { t } = useTranslation();
  const titleId = useId();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const isFull = isLarge && isPhone;
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={isFull}
      slotProps={{ paper: { sx: isFull ? {} : { width, maxWidth: "calc(100vw - 32px)", m: 4 } } }}
    >
      <Box sx={{ display: "flex", alignItems: "flex-start" }}>
        <DialogTitle id={titleId} sx={{ flex: 1, overflowWrap: "anywhere" }}>
          {title}
        </DialogTitle>
        {isLarge && (
          <IconButton aria-label={t("common.close")} onClick={onClose} sx={{ m: 3 }}>
            <Icon glyph={X} size={18} />
          </IconButton>
        )}
      </Box>
      <DialogContent>{children}</DialogContent>
      <DialogActions>{actions}</DialogActions>
      <Snacks />
    </Dialog>
  );
}
