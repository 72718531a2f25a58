import { Box, Button, Checkbox, FormControlLabel, Typography } from "@mui/material";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type ColumnId, columnIds, defaultColumns, lockedColumns } from "./column-ids.ts";
import type { TableSettings } from "./table-settings.ts";

interface Props {
  settings: TableSettings;
  /** Managers choose between their own devices and the organisation's. */
  isManager: boolean;
  onApply: (settings: TableSettings) => void;
  onClose: () => void;
}

/** Which columns are shown. Nothing changes before it is applied. */
export function ColumnsDialog({ settings, isManager, onApply, onClose }: Props) {
  const { t } = useTranslation();
  const [columns, setColumns] = useState<readonly ColumnId[]>(settings.columns);
  const [isWide, setWide] = useState(settings.organizationWide);
  const toggle = (id: ColumnId) =>
    setColumns(columns.includes(id) ? columns.filter((other) => other !== id) : [...columns, id]);
  return (
    <AppDialog
      isOpen
      isLarge
      width={520}
      title={t("launchpad.columnsDialog.title")}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" sx={{ mr: "auto" }} onClick={() => setColumns(defaultColumns)}>
            {t("launchpad.columnsDialog.reset")}
          </Button>
          <Button variant="text" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            variant="contained"
            color="primary"
            onClick={() => onApply({ columns: [...columns], organizationWide: isWide })}
          >
            {t("launchpad.columnsDialog.apply")}
          </Button>
        </>
      }
    >
      {isManager && (
        <Box sx={{ mb: 5, display: "grid", gap: 2, justifyItems: "start" }}>
          <Typography variant="label">{t("launchpad.columnsDialog.whose")}</Typography>
          <Segmented
            label={t("launchpad.columnsDialog.whose")}
            value={isWide ? "organization" : "mine"}
            onChange={(whose) => setWide(whose === "organization")}
            choices={[
              { value: "mine", label: t("launchpad.columnsDialog.mine") },
              { value: "organization", label: t("launchpad.columnsDialog.organization") },
            ]}
          />
        </Box>
      )}
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {t("launchpad.columnsDialog.lead")}
      </Typography>
      <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr 1fr", sm: "repeat(3, 1fr)" } }}>
        {columnIds.map((id) => {
          const isLocked = lockedColumns.includes(id);
          return (
            <FormControlLabel
              key={id}
              label={t(`launchpad.columns.${id}`)}
              disabled={isLocked}
              slotProps={{ typography: { variant: "body2" } }}
              control={<Checkbox size="small" checked={isLocked || columns.includes(id)} onChange={() => toggle(id)} />}
            />
          );
        })}
      </Box>
    </AppDialog>
  );
}
