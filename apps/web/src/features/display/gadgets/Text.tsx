import { Box, Button } from "@mui/material";
import Keyboard from "lucide-react/icons/keyboard";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextInput } from "../../../components/TextInput.tsx";
import { useCopy } from "../../../components/use-copy.ts";
import { snack } from "../../../components/snack-queue.ts";
import { gadget, type PanelProps } from "./gadget.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";

interface Clipboard {
  text: string;
}

const WIDTH = 312;
/** Two messages a character, of the thousand that a device takes in a second. */
const MAX_TEXT = 400;
const ENTER = 0x01000005;

/** `clipboard from_android <base64 of UTF-8>`. */
function clipboardOf(report: unknown): Clipboard | undefined {
  const base64 = /^clipboard from_android ([A-Za-z0-9+/]+={0,2})$/.exec(String(report))?.[1];
  if (base64 === undefined) return undefined;
  try {
    return { text: new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.codePointAt(0) ?? 0)) };
  } catch {
    return undefined;
  }
}

export const clipboardMessage = (text: string) => ({
  channel: "framework",
  messages: [`set_device_clipboard ${btoa(String.fromCodePoint(...new TextEncoder().encode(text)))}`],
});

/** The keys that write a text, each pressed and released. */
export const keysOf = (text: string): object[] =>
  Array.from(text.replaceAll("\r\n", "\n")).flatMap((character) => {
    const key =
      character === "\n" ? { keychar: "", keycode: ENTER } : { keychar: character, keycode: character.codePointAt(0) };
    return [
      { type: "KEYBOARD_PRESS", ...key },
      { type: "KEYBOARD_RELEASE", ...key },
    ];
  });

function TextPanel({ anchor, state, send, onClose }: PanelProps<Clipboard>) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const { isCopied, copy } = useCopy();
  const isEmpty = text === "";
  return (
    <GadgetPopover anchor={anchor} title={t("display.text.title")} width={WIDTH} onClose={onClose}>
      <Box sx={{ display: "grid", gap: "12px", mt: "12px" }}>
        <TextInput
          label={t("display.text.label")}
          help={t("display.text.help")}
          multiline
          minRows={2}
          maxRows={6}
          value={text}
          inputProps={{ maxLength: MAX_TEXT }}
          counter={text.length > MAX_TEXT * 0.8 ? `${text.length} / ${MAX_TEXT}` : undefined}
          onChange={({ target }) => setText(target.value)}
        />
        <Box sx={{ display: "flex", justifyContent: "space-between", gap: "8px" }}>
          <Button
            disabled={isEmpty}
            onClick={() => {
              send(clipboardMessage(text));
              snack("success", t("display.text.copiedThere"));
            }}
          >
            {t("display.text.copyThere")}
          </Button>
          <Button
            variant="contained"
            disabled={isEmpty}
            onClick={() => {
              for (const key of keysOf(text)) send(key);
              setText("");
              onClose();
            }}
          >
            {t("display.text.type")}
          </Button>
        </Box>
        {state && (
          <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: "8px" }}>
            <Box
              component="span"
              sx={{
                typography: "body2",
                minWidth: 0,
                overflow: "hidden",
                textOverflow: "ellipsis",
                whiteSpace: "nowrap",
              }}
            >
              {t("display.text.onDevice", { text: state.text })}
            </Box>
            <Button sx={{ flex: "none" }} onClick={() => copy(state.text)}>
              {t(isCopied ? "display.text.copiedHere" : "display.text.copyHere")}
            </Button>
          </Box>
        )}
      </Box>
    </GadgetPopover>
  );
}

/** Text for the device, to be typed or for its clipboard, and what was copied there. A phone has no other keyboard for it. */
export const text = gadget({
  name: "text",
  glyph: Keyboard,
  shortcut: "t",
  group: "more",
  usualOn: ["PHONE", "TABLET", "TV", "CAR", "WATCH"],
  panel: { Panel: TextPanel, size: roomOf(WIDTH, 260), channels: ["framework"], read: clipboardOf },
});
