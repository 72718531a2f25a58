import { Autocomplete, Box, OutlinedInput, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import { useField } from "../../components/form/use-form.ts";
import { FormField } from "../../components/FormField.tsx";
import { allOf, pathTo } from "../../components/tree/tree-rows.ts";
import type { GroupItem } from "./group-tree.ts";
import type { GroupValues } from "./GroupForm.tsx";

interface Props {
  form: AppForm<GroupValues>;
  items: readonly GroupItem[];
  /** A group cannot change its parent. */
  isFixed: boolean;
}

/** The group that another is below; none for one at the top. */
export function ParentField({ form, items, isFixed }: Props) {
  const { t } = useTranslation();
  const { value, error, onChange, onBlur, ref } = useField<string | null>(form, "parent");
  const above = (id: string) =>
    pathTo(items, id)
      .slice(0, -1)
      .map(({ name }) => name)
      .join(" / ");
  const options = allOf(items);
  return (
    <FormField
      label={t("groups.form.parent")}
      help={isFixed ? t("groups.form.parentFixed") : t("groups.form.optional")}
      error={error}
    >
      {({ id, error: isWrong, "aria-describedby": describedBy }) => (
        <Autocomplete
          id={id}
          fullWidth
          autoHighlight
          disabled={isFixed}
          options={options}
          getOptionLabel={({ name }) => name}
          getOptionKey={({ id: key }) => key}
          value={options.find((item) => item.id === value) ?? null}
          onChange={(_, item) => onChange(item?.id ?? null)}
          onBlur={onBlur}
          noOptionsText={t("groups.form.nothing")}
          clearText={t("common.clear")}
          renderOption={({ key, ...option }, item) => (
            <Box component="li" key={key} {...option}>
              <Box sx={{ minWidth: 0 }}>
                <Typography variant="body2" noWrap sx={{ fontWeight: 550 }}>
                  {item.name}
                </Typography>
                {item.data.parent_uuid !== null && (
                  <Typography variant="caption" component="div" noWrap sx={{ color: "text.tertiary" }}>
                    {above(item.id)}
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
              inputRef={(input: HTMLInputElement | null) => ref(input && { focus: () => input.focus() })}
              placeholder={t("groups.form.top")}
              inputProps={{ ...htmlInput, "aria-describedby": describedBy, "aria-invalid": isWrong }}
            />
          )}
        />
      )}
    </FormField>
  );
}
