import { Autocomplete, Box, OutlinedInput, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import type { useField } from "../components/form/use-form.ts";
import { FormField } from "../components/FormField.tsx";
import { type TreeItem, withPaths } from "../components/tree/tree-rows.ts";

interface Props {
  /** Of a group that is chosen from a tree: its identifier, or empty. */
  field: ReturnType<typeof useField<string>>;
  items: readonly TreeItem[];
  label: string;
  help?: string;
  /** What it says while none is chosen. */
  placeholder?: string;
  /** What it says where no group matches. */
  none: string;
  isDisabled?: boolean;
}

/** A group, chosen from the tree by its name; those with the same name are distinguished by their parents. */
export function GroupField({ field, items, label, help, placeholder, none, isDisabled = false }: Props) {
  const { t } = useTranslation();
  const { value, error, onChange, onBlur, ref } = field;
  const options = withPaths(items);
  return (
    <FormField label={label} help={help} error={error}>
      {({ id, error: isWrong, "aria-describedby": describedBy }) => (
        <Autocomplete
          id={id}
          fullWidth
          autoHighlight
          disabled={isDisabled}
          options={options}
          getOptionLabel={({ name }) => name}
          getOptionKey={(group) => group.id}
          isOptionEqualToValue={(one, other) => one.id === other.id}
          value={options.find((group) => group.id === value) ?? null}
          onChange={(_, group) => onChange(group?.id ?? "")}
          onBlur={onBlur}
          noOptionsText={none}
          clearText={t("common.clear")}
          renderOption={({ key, ...option }, { name, above }) => (
            <Box component="li" key={key} {...option}>
              <Box sx={{ minWidth: 0 }}>
                <Typography variant="body2" noWrap sx={{ fontWeight: 550 }}>
                  {name}
                </Typography>
                {above && (
                  <Typography variant="caption" component="div" noWrap sx={{ color: "text.tertiary" }}>
                    {above}
                  </Typography>
                )}
              </Box>
            </Box>
          )}
          slotProps={{ paper: { elevation: 3 } }}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={isWrong}
              // Its text is a name, which the form must not take for its value.
              inputRef={(element: HTMLInputElement | null) => ref(element && { focus: () => element.focus() })}
              placeholder={placeholder}
              inputProps={{ ...htmlInput, "aria-describedby": describedBy, "aria-invalid": isWrong }}
            />
          )}
        />
      )}
    </FormField>
  );
}
