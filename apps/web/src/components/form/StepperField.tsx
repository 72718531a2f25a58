import { Box, OutlinedInput } from "@mui/material";
import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { FormField } from "../FormField.tsx";
import { ToolButton } from "../ToolButton.tsx";
import type { FieldProps } from "./TextField.tsx";
import { useField } from "./use-form.ts";

interface Props<Values extends object> extends FieldProps<Values> {
  min: number;
  max: number;
  words: { less: string; more: string };
}

/** A button that is held counts on after this time, and then as often. */
const HOLD_MS = 300;
const REPEAT_MS = 100;

/** Keys that change the number, and by how much. */
const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/**
 * A whole number from `min` to `max`, held as text. What is typed beyond them becomes the nearest that can be: the most at once, the least
 * when the field is left or sent, since a number that is too small may only be its beginning. Where the range itself changes, the number
 * follows it.
 */
export function StepperField<Values extends object>({ form, name, label, help, min, max, words }: Props<Values>) {
  const { value, error: wrong, onChange, onBlur, ref } = useField<string>(form, name);
  const set = (number: number) => onChange(String(Math.max(min, Math.min(max, number))));
  const now = Number(value);
  // What is shown is what will be sent, also before anybody types.
  const fit = useEffectEvent((least: number, most: number) => {
    if (value !== "" && (now < least || now > most)) set(now);
  });
  useLayoutEffect(() => fit(min, max), [min, max]);
  const less = useHeld(() => set(now - 1));
  const more = useHeld(() => set(now + 1));
  return (
    <FormField label={label} help={help} error={wrong}>
      {({ id, error, "aria-describedby": describedBy }) => (
        <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
          <OutlinedInput
            id={id}
            value={value}
            error={error}
            inputRef={ref}
            onChange={({ target }) => {
              // What is pasted may have more than a number: 1.5 is not 15.
              const digits = /^\s*(\d*)/.exec(target.value)?.[1] ?? "";
              onChange(digits === "" ? "" : String(Math.min(max, Number(digits))));
            }}
            onBlur={() => {
              set(now);
              onBlur();
            }}
            onKeyDown={(event) => {
              const step = steps[event.key];
              if (event.key === "Enter") set(now);
              if (step === undefined) return;
              event.preventDefault();
              set(now + step);
            }}
            inputProps={{
              role: "spinbutton",
              inputMode: "numeric",
              autoComplete: "off",
              "aria-valuenow": now,
              "aria-valuemin": min,
              "aria-valuemax": max,
              "aria-describedby": describedBy,
              "aria-invalid": error,
            }}
            sx={{ width: 96 }}
          />
          {/* The arrow keys do the same. */}
          <ToolButton tabIndex={-1} glyph={Minus} label={words.less} isOff={now <= min} {...less} />
          <ToolButton tabIndex={-1} glyph={Plus} label={words.more} isOff={now >= max} {...more} />
        </Box>
      )}
    </FormField>
  );
}

/** A button that does a step when it is pressed, and one after the other while it is held. */
function useHeld(step: () => void) {
  const [isHeld, hold] = useState(false);
  const hasCounted = useRef(false);
  const count = useEffectEvent(() => {
    hasCounted.current = true;
    step();
  });
  useEffect(() => {
    if (!isHeld) return undefined;
    let repeat: ReturnType<typeof setInterval> | undefined;
    const begin = setTimeout(() => {
      count();
      repeat = setInterval(() => count(), REPEAT_MS);
    }, HOLD_MS);
    return () => {
      clearTimeout(begin);
      clearInterval(repeat);
    };
  }, [isHeld]);
  const letGo = () => hold(false);
  return {
    onPointerDown: () => {
      hasCounted.current = false;
      hold(true);
    },
    onPointerUp: letGo,
    onPointerLeave: letGo,
    onPointerCancel: letGo,
    onClick: () => {
      // The end of holding it is no press.
      if (!hasCounted.current) step();
      hasCounted.current = false;
    },
  };
}
