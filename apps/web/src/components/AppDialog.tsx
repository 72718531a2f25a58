import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  IconButton,
  useMediaQuery,
} from "@mui/material";
import X from "lucide-react/icons/x";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";
import { Snacks } from "./Snacks.tsx";

interface Props {
  title: string;
  onClose: () => void;
  children: React.ReactNode;
  /** The words of the button that closes it, which is the primary one where there is no other. */
  dismiss?: string;
  /** The other buttons, the primary one last. With no button at all the dialog is its title, and its children bring the rest. */
  actions?: React.ReactNode;
  /** In pixels. */
  width?: number;
  /** In pixels, or as CSS has it. */
  height?: number | string;
  /** Fills the screen of a phone. */
  isLarge?: boolean;
}

/** A dialog with its title, what it says, and its buttons. Escape and the cross close it. */
export function AppDialog(props: Props) {
  const { title, onClose, children, dismiss, actions, width = 440, height, isLarge = false } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const close = dismiss !== undefined && (
    <Button {...(actions ? { variant: "text" } : { variant: "contained", color: "primary" })} onClick={onClose}>
      {dismiss}
    </Button>
  );
  const isFull = isLarge && isPhone;
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={isFull}
      slotProps={{ paper: { sx: isFull ? {} : { width, height, maxWidth: "calc(100vw - 32px)", m: 4 } } }}
    >
      <Box sx={{ display: "flex", alignItems: "flex-start" }}>
        <DialogTitle sx={{ flex: 1 }}>
          <Box id={titleId} component="span" title={title} sx={threeLines}>
            {title}
          </Box>
        </DialogTitle>
        {isLarge && (
          <IconButton aria-label={t("common.close")} onClick={onClose} sx={{ m: 3 }}>
            <Icon glyph={X} size={18} />
          </IconButton>
        )}
      </Box>
      {close || actions ? (
        <>
          <DialogContent>{children}</DialogContent>
          <DialogActions>
            {close}
            {actions}
          </DialogActions>
        </>
      ) : (
        children
      )}
      <Snacks />
    </Dialog>
  );
}

/** A name may be 250 characters long, and would leave a phone no room for the rest. */
const threeLines = {
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: 3,
  overflow: "hidden",
  overflowWrap: "anywhere",
} as const;
