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
  /** Buttons, the primary one last. Without them the dialog is its title, and what stands below brings the rest. */
  actions?: React.ReactNode;
  /** In pixels. */
  width?: number;
  height?: number;
  /** Fills the screen of a phone. */
  isLarge?: boolean;
}

/** A dialog with its title, what it says, and its buttons. Escape and the cross close it. */
export function AppDialog(props: Props) {
  const { title, isOpen, onClose, children, actions, width = 440, height, isLarge = false } = props;
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
      slotProps={{ paper: { sx: isFull ? {} : { width, height, maxWidth: "calc(100vw - 32px)", m: 4 } } }}
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
      {actions ? (
        <>
          <DialogContent>{children}</DialogContent>
          <DialogActions>{actions}</DialogActions>
        </>
      ) : (
        children
      )}
      <Snacks />
    </Dialog>
  );
}
