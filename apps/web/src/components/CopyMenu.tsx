import { Button, Menu, MenuItem } from "@mui/material";
import Check from "lucide-react/icons/check";
import Terminal from "lucide-react/icons/terminal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";
import { useCopy } from "./use-copy.ts";

interface Props {
  label: string;
  /** What can be copied, and as what. */
  choices: readonly { label: string; text: () => string }[];
}

/** Copies one of several texts. */
export function CopyMenu({ label, choices }: Props) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const close = () => setAnchor(undefined);
  return (
    <>
      <Button
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon glyph={isCopied ? Check : Terminal} />
        <span aria-live="polite">{isCopied ? t("common.copied") : label}</span>
      </Button>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={close} slotProps={{ list: { "aria-label": label } }}>
          {choices.map((choice) => (
            <MenuItem
              key={choice.label}
              onClick={() => {
                close();
                copy(choice.text());
              }}
            >
              {choice.label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
