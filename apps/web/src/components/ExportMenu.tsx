import { Button, Menu, MenuItem } from "@mui/material";
import Download from "lucide-react/icons/download";
import LoaderCircle from "lucide-react/icons/loader-circle";
import { useState } from "react";
import { Icon } from "./Icon.tsx";

interface Props<Format extends string> {
  label: string;
  /** In its place while a file is made. */
  busy: string;
  isBusy: boolean;
  formats: readonly { value: Format; label: string }[];
  onExport: (format: Format) => void;
}

/** Saves what is shown as a file, of one of several kinds. */
export function ExportMenu<Format extends string>({ label, busy, isBusy, formats, onExport }: Props<Format>) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <>
      <Button
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        aria-disabled={isBusy || undefined}
        onClick={(event) => !isBusy && setAnchor(event.currentTarget)}
      >
        <Icon glyph={isBusy ? LoaderCircle : Download} spins={isBusy} />
        {isBusy ? busy : label}
      </Button>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(undefined)} slotProps={{ list: { "aria-label": label } }}>
          {formats.map((format) => (
            <MenuItem
              key={format.value}
              onClick={() => {
                setAnchor(undefined);
                onExport(format.value);
              }}
            >
              {format.label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
