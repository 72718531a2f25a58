import { Button, Menu, MenuItem } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import LoaderCircle from "lucide-react/icons/loader-circle";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { exportAudit, type filterOf } from "./audit.queries.ts";

/** Saves what the filters let through as a file, of one of two kinds. */
export function ExportMenu({ filter }: { filter: ReturnType<typeof filterOf> }) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const { mutate: save, isPending } = useMutation(exportAudit);
  return (
    <>
      <Button
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        aria-disabled={isPending || undefined}
        onClick={(event) => !isPending && setAnchor(event.currentTarget)}
      >
        <Icon glyph={isPending ? LoaderCircle : Download} spins={isPending} />
        {t(isPending ? "audit.export.busy" : "audit.export.label")}
      </Button>
      {anchor && (
        <Menu
          open
          anchorEl={anchor}
          onClose={() => setAnchor(undefined)}
          slotProps={{ list: { "aria-label": t("audit.export.label") } }}
        >
          {(["csv", "jsonl"] as const).map((format) => (
            <MenuItem
              key={format}
              onClick={() => {
                setAnchor(undefined);
                save({ ...filter, format });
              }}
            >
              {t(`audit.export.${format}`)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
