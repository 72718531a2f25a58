import "../en/emails.ts";
import { Autocomplete, Box, OutlinedInput, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import CircleAlert from "lucide-react/icons/circle-alert";
import X from "lucide-react/icons/x";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "./announce.ts";
import { emailsOf, endsAnEmail, withEmails } from "./emails.ts";
import { FormField } from "./FormField.tsx";
import { Icon } from "./Icon.tsx";

/** Somebody whom the field offers while their name or address is being typed. */
export interface Suggestion {
  email: string;
  name: string;
}

interface Props {
  label: string;
  help?: string | undefined;
  /** Replaces the help. */
  error?: string | undefined;
  value: readonly string[];
  onChange: (emails: string[]) => void;
  onBlur?: (() => void) | undefined;
  /** Marks an address, such as one that is malformed or that nobody has. */
  isWrong?: ((email: string) => boolean) | undefined;
  suggestions?: readonly Suggestion[] | undefined;
  /** Asks for the rest of the suggestions, below those that are there. */
  more?: { label: string; onAsk: () => void } | undefined;
  /** Called with what is being typed, to find suggestions for it. */
  onType?: ((text: string) => void) | undefined;
  inputRef?: React.Ref<HTMLInputElement> | undefined;
}

/** Among the options: no address is empty. */
const MORE = "";

/**
 * The e-mail addresses of several people. One that is typed becomes a chip with a comma, a semicolon, white space or Enter, and when the
 * field is left; a list can be pasted. The arrow keys lead to the chips, where Enter, Backspace and Delete remove one.
 */
export function EmailChips(props: Props) {
  const { label, help, error, value, onChange, onBlur, isWrong, suggestions = [], more, onType, inputRef } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  /** The list stays when the rest of it was asked for. */
  const staysOpen = useRef(false);

  const type = (text: string) => {
    setTyped(text);
    onType?.(text.trim());
  };
  const change = (next: string[]) => {
    const added = next.filter((email) => !value.includes(email));
    const removed = value.filter((email) => !next.includes(email));
    const [said, of] = added.length > 0 ? (["added", added] as const) : (["removed", removed] as const);
    announce(t(`invitation.emails.${said}`, { count: of.length, email: of[0] ?? "" }));
    onChange(next);
  };
  /** Makes chips of a text. */
  const take = (text: string) => {
    type("");
    const next = withEmails(value, emailsOf(text));
    if (next.length > value.length) change(next);
  };
  const paste = (event: React.ClipboardEvent<HTMLInputElement>) => {
    const { value: text, selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData("text");
    const whole = text.slice(0, selectionStart ?? 0) + pasted + text.slice(selectionEnd ?? 0);
    // The input itself would drop the line breaks between addresses.
    if (!endsAnEmail(whole)) return;
    event.preventDefault();
    take(whole);
  };

  return (
    <FormField label={label} help={help} error={error}>
      {({ id, error: hasError, "aria-describedby": describedBy }) => (
        <Autocomplete
          id={id}
          multiple
          freeSolo
          fullWidth
          options={[
            ...suggestions.map(({ email }) => email).filter((email) => !value.includes(email)),
            ...(more ? [MORE] : []),
          ]}
          open={isOpen}
          onOpen={() => setOpen(true)}
          onClose={() => {
            if (!staysOpen.current) setOpen(false);
            staysOpen.current = false;
          }}
          // They were searched already.
          filterOptions={(options) => options}
          value={[...value]}
          onChange={(_, next, reason) => {
            if (reason === "selectOption" && next.at(-1) === MORE) {
              staysOpen.current = true;
              more?.onAsk();
            } else if (reason === "selectOption") take(next.at(-1) ?? "");
            else change(next);
          }}
          onKeyDown={(event: React.KeyboardEvent & { defaultMuiPrevented?: boolean }) => {
            const isOnOffer = event.target instanceof Element && event.target.hasAttribute("aria-activedescendant");
            if (event.key !== "Enter" || !typed.trim() || isOnOffer) return;
            event.preventDefault();
            // Otherwise the field would not clear an address that it has already.
            event.defaultMuiPrevented = true;
            take(typed);
          }}
          inputValue={typed}
          onInputChange={(_, text, reason) => {
            // The field resets itself when its chips change; what is being typed stays.
            if (reason === "reset" || reason === "removeOption" || reason === "selectOption") return;
            if (endsAnEmail(text)) take(text);
            else type(text);
          }}
          onBlur={() => {
            if (typed.trim()) take(typed);
            onBlur?.();
          }}
          clearText={t("common.clear")}
          clearIcon={<Icon glyph={X} />}
          renderValue={(emails, itemOf) =>
            emails.map((email, index) => {
              const { key, onDelete, tabIndex, "data-item-index": place } = itemOf({ index });
              const isMarked = isWrong?.(email) ?? false;
              return (
                <Box key={key} component="span" sx={isMarked ? [chip, wrongChip] : chip}>
                  {isMarked && <Icon glyph={CircleAlert} size={14} />}
                  <Box component="span" title={email} sx={ellipsis}>
                    {email}
                  </Box>
                  <Box
                    component="button"
                    type="button"
                    data-item-index={place}
                    tabIndex={tabIndex}
                    aria-label={t(isMarked ? "invitation.emails.removeWrong" : "invitation.emails.remove", { email })}
                    onClick={onDelete}
                    onKeyDown={stayOnButton}
                    sx={cross}
                  >
                    <Icon glyph={X} size={14} />
                  </Box>
                </Box>
              );
            })
          }
          renderOption={({ key, ...option }, email) => (
            <Box component="li" key={key} {...option}>
              {email === MORE ? (
                <Typography variant="body2" sx={{ color: "primary.main" }}>
                  {more?.label}
                </Typography>
              ) : (
                <Offer email={email} name={suggestions.find((each) => each.email === email)?.name ?? email} />
              )}
            </Box>
          )}
          slotProps={{ paper: { elevation: 3 } }}
          renderInput={({ slotProps: { input: root, htmlInput } }) => (
            <OutlinedInput
              {...root}
              fullWidth
              error={hasError}
              inputRef={inputRef}
              inputProps={{
                ...htmlInput,
                "aria-describedby": describedBy,
                "aria-invalid": hasError,
                inputMode: "email",
                autoCapitalize: "none",
                autoComplete: "off",
                spellCheck: false,
                onPaste: paste,
              }}
              sx={field}
            />
          )}
        />
      )}
    </FormField>
  );
}

/** The field would lead the focus back to its input before the button is pressed. */
const stayOnButton = (event: React.KeyboardEvent & { defaultMuiPrevented?: boolean }) => {
  if (event.key === "Enter" || event.key === " ") event.defaultMuiPrevented = true;
};

/** A person whom the field offers. */
function Offer({ email, name }: Suggestion) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" noWrap sx={{ fontWeight: 550 }}>
        {name}
      </Typography>
      {name !== email && (
        <Typography variant="caption" component="div" noWrap sx={{ color: "text.tertiary" }}>
          {email}
        </Typography>
      )}
    </Box>
  );
}

/** Room for two lines from the beginning: a chip that is added rarely moves what is below. */
const field = {
  height: "auto",
  minHeight: 72,
  alignContent: "flex-start",
  gap: 1.5,
  "&&": { py: 1.5, pl: 1.5 },
  "&& .MuiAutocomplete-input": { flex: "1 1 160px", minWidth: 80, height: { xs: 36, sm: 24 }, p: "0 4px" },
};
const chip = (theme: Theme) => ({
  typography: "chip",
  display: "inline-flex",
  alignItems: "center",
  gap: 1,
  height: { xs: 36, sm: 24 },
  maxWidth: "100%",
  pl: 2,
  borderRadius: "6px",
  background: theme.vars.palette.background.sunken,
  "@media (forced-colors: active)": { border: "1px solid" },
});
const wrongChip = (theme: Theme) => ({
  color: theme.vars.palette.error.main,
  background: theme.vars.palette.error.soft,
});
const ellipsis = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;
const cross = {
  all: "unset",
  position: "relative",
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: { xs: 36, sm: 24 },
  height: "100%",
  borderRadius: "6px",
  cursor: "pointer",
  "&:hover": { background: "color-mix(in srgb, currentColor 12%, transparent)" },
  "&:focus-visible": { outline: "2px solid var(--mui-palette-focus)", outlineOffset: -2 },
  // As large as a finger.
  "&::after": { content: '""', position: "absolute", inset: { xs: -4, sm: 0 } },
} as const;
