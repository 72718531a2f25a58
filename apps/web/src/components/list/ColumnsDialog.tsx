import { Box, Button, Checkbox, FormControlLabel, Typography } from "@mui/material";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../AppDialog.tsx";
import { Segmented } from "../Segmented.tsx";
import { firstColumns } from "./list-settings.ts";
import type { ListState } from "./use-list.ts";

/** Which columns are shown, and the filters that are remembered. Nothing changes before it is applied. */
export function ColumnsDialog<Row extends object, Context>({
  state,
  onClose,
}: {
  state: ListState<Row, Context>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { list, settings, filters } = state;
  const words = list.words(t);
  const [columns, setColumns] = useState<readonly string[]>(settings.columns);
  const [chosen, setChosen] = useState(state.address.filters);
  const toggle = (id: string) =>
    setColumns(columns.includes(id) ? columns.filter((other) => other !== id) : [...columns, id]);
  const remembered = filters.filter(({ isRemembered, isView }) => isRemembered && !isView);
  return (
    <AppDialog
      isLarge
      width={520}
      title={t("common.columns.title")}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" sx={{ mr: "auto" }} onClick={() => setColumns(firstColumns(list))}>
            {t("common.columns.reset")}
          </Button>
          <Button variant="text" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            variant="contained"
            color="primary"
            onClick={() => {
              const chosenFilters = Object.fromEntries(remembered.map(({ id }) => [id, chosen[id] ?? ""]));
              state.saveSettings({ columns: [...columns], filters: { ...settings.filters, ...chosenFilters } });
              if (remembered.some(({ id }) => chosen[id] !== state.address.filters[id]))
                state.go({ filters: chosenFilters }, { replace: true });
              onClose();
            }}
          >
            {t("common.columns.apply")}
          </Button>
        </>
      }
    >
      {remembered.map(({ id, label, choices }) => (
        <Box key={id} sx={{ mb: 5, display: "grid", gap: 2, justifyItems: "start" }}>
          <Typography variant="label">{label(t)}</Typography>
          <Segmented
            label={label(t)}
            value={chosen[id] ?? ""}
            onChange={(value) => setChosen({ ...chosen, [id]: value })}
            choices={choices.map((choice) => ({ value: choice.value, label: choice.label(t) }))}
          />
        </Box>
      ))}
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {words.columnsLead}
      </Typography>
      <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr 1fr", sm: "repeat(3, 1fr)" } }}>
        {[...list.columns, ...(list.actions ? [{ id: "actions", shown: "always" } as const] : [])].map(
          ({ id, shown }) => (
            <FormControlLabel
              key={id}
              label={words.column(id)}
              disabled={shown === "always"}
              slotProps={{ typography: { variant: "body2" } }}
              control={
                <Checkbox
                  size="small"
                  checked={shown === "always" || columns.includes(id)}
                  onChange={() => toggle(id)}
                />
              }
            />
          ),
        )}
      </Box>
    </AppDialog>
  );
}
