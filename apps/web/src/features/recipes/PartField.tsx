import { Autocomplete, Box, OutlinedInput, Typography } from "@mui/material";
import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormField } from "../../components/FormField.tsx";
import { useDebounced } from "../../components/use-debounced.ts";

interface PartPage<Part> {
  count: number;
  results: Part[];
}
interface PartQuery<Part> {
  queryKey: QueryKey;
  queryFn: (call: { signal: AbortSignal }) => Promise<PartPage<Part>>;
}

interface Props<Part> {
  label: string;
  help: string;
  error: string | undefined;
  value: Part | null;
  onChange: (part: Part | null) => void;
  onBlur: () => void;
  choices: { recent: PartQuery<Part>; found: (search: string) => PartQuery<Part> };
  /** A line about a part, below its name. */
  describe: (part: Part) => string;
  /** Stands before its name. */
  mark?: (part: Part) => React.ReactNode;
}

/** Chooses a hardware profile or an OS image: one's own recent ones come first, typing searches all. */
export function PartField<Part extends { uuid: string; name: string }>(props: Props<Part>) {
  const { label, help, error, value, onChange, onBlur, choices, describe, mark } = props;
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  // The field shows the name of what was chosen, which is not a search.
  const search = useDebounced(typed === value?.name ? "" : typed.trim());
  const recent = useQuery({ ...choices.recent, enabled: isOpen });
  const found = useQuery({ ...choices.found(search), enabled: isOpen, placeholderData: keepPreviousData });
  const own = search ? [] : (recent.data?.results ?? []);
  const others = (found.data?.results ?? []).filter(({ uuid }) => own.every((each) => each.uuid !== uuid));
  const isRecent = (part: Part) => own.includes(part);
  const group = (part: Part): "recent" | "others" | "found" => {
    if (search) return "found";
    return isRecent(part) ? "recent" : "others";
  };
  /** Whether there are more than one page holds, and so only a search leads to the others. */
  const { count = 0, results: { length: shown } = [] } = found.data ?? {};
  const groupName = (part: Part) => {
    const name = t(`recipes.form.${group(part)}`);
    return isRecent(part) || count <= shown ? name : t("recipes.form.firstOf", { name, shown, count });
  };
  return (
    <FormField label={label} help={help} error={error}>
      {({ id, error: isWrong, "aria-describedby": describedBy }) => (
        <Autocomplete
          id={id}
          fullWidth
          autoHighlight
          open={isOpen}
          onOpen={() => setOpen(true)}
          onClose={() => setOpen(false)}
          options={[...own, ...others]}
          // The service has searched already.
          filterOptions={(options) => options}
          groupBy={groupName}
          getOptionLabel={({ name }) => name}
          getOptionKey={({ uuid }) => uuid}
          isOptionEqualToValue={(part, chosen) => part.uuid === chosen.uuid}
          value={value}
          onChange={(_, part) => onChange(part)}
          onInputChange={(_, text) => setTyped(text)}
          onBlur={onBlur}
          loading={found.isFetching}
          loadingText={t("recipes.form.loading")}
          noOptionsText={t(found.isError ? "recipes.form.failed" : "recipes.form.nothing")}
          renderOption={({ key, ...option }, part) => (
            <Box component="li" key={key} {...option} sx={{ gap: 3 }}>
              {mark?.(part)}
              <Box sx={{ minWidth: 0 }}>
                <Typography noWrap sx={{ fontWeight: 550 }}>
                  {part.name}
                </Typography>
                <Typography variant="caption" component="div" noWrap sx={{ color: "text.tertiary" }}>
                  {describe(part)}
                </Typography>
              </Box>
            </Box>
          )}
          renderGroup={({ key, group: name, children }) => (
            <Box component="li" key={key} {...grouped} aria-label={name}>
              <Typography variant="caption" component="div" aria-hidden="true" sx={groupHead}>
                {name}
              </Typography>
              <Box component="ul" role="presentation" sx={{ p: 0 }}>
                {children}
              </Box>
            </Box>
          )}
          slotProps={{
            listbox: { sx: { maxHeight: 320 } },
            paper: { elevation: 3 },
          }}
          renderInput={({ slotProps: { input, htmlInput } }) => (
            <OutlinedInput
              {...input}
              fullWidth
              error={isWrong}
              inputProps={{ ...htmlInput, "aria-describedby": describedBy, "aria-invalid": isWrong }}
            />
          )}
        />
      )}
    </FormField>
  );
}

/** A group of options; the list itself is the listbox. */
const grouped = { role: "group" };
const groupHead = { px: 4, pt: 3, pb: 1, color: "text.tertiary" };
