import "../../../en/tools.ts";
import "@xterm/xterm/css/xterm.css";
import { Box } from "@mui/material";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ToolNotice } from "./ToolNotice.tsx";
import { type ToolDevice, useTool } from "./use-tool.ts";

interface Props {
  device: ToolDevice;
  /** It goes on while another tool is shown. */
  isShown: boolean;
  /** Called by the key that leads out of it. */
  onLeave: () => void;
}

/** Lines that can be scrolled back to. */
const SCROLLBACK = 5_000;
const utf8 = new TextEncoder();

/** A shell of the device in a terminal. */
export default function Shell({ device, isShown, onLeave }: Props) {
  const { t } = useTranslation();
  const label = t("tools.shell.label", { name: device.name });
  const place = useRef<HTMLDivElement>(null);
  const [{ terminal, fit }] = useState(createTerminal);
  const { socket, state } = useTool(device, {
    tool: "shell",
    isOnce: true,
    onBytes: (bytes) => new Promise((dealt) => terminal.write(bytes, dealt)),
    onOpen: () => terminal.reset(),
  });

  useEffect(() => {
    if (place.current) terminal.open(place.current);
    const typing = [
      terminal.onData((text) => socket.type(utf8.encode(text))),
      terminal.onBinary((text) => socket.type(Uint8Array.from(text, (char) => char.charCodeAt(0)))),
    ];
    return () => {
      for (const each of typing) each.dispose();
      // Development has effects run twice, and the second time finds it as it was.
      queueMicrotask(() => terminal.element?.isConnected || terminal.dispose());
    };
  }, [terminal, socket]);
  useEffect(() => {
    terminal.attachCustomKeyEventHandler(({ key, type }) => {
      if (key !== "F6") return true;
      if (type === "keydown") onLeave();
      return false;
    });
    terminal.textarea?.setAttribute("aria-label", label);
  }, [terminal, onLeave, label]);

  // The device's terminal has the size of this one.
  const isOpen = state.phase === "open";
  useEffect(() => {
    const sendSize = () => {
      const { rows, cols: columns } = terminal;
      // One that ends meanwhile needs no size.
      if (isOpen) socket.ask("resize", { rows, columns }).catch(() => undefined);
    };
    sendSize();
    const { dispose } = terminal.onResize(sendSize);
    return () => dispose();
  }, [terminal, socket, isOpen]);
  useEffect(() => {
    if (!isShown || !place.current) return undefined;
    const observer = new ResizeObserver(() => fit.fit());
    observer.observe(place.current);
    terminal.focus();
    return () => observer.disconnect();
  }, [terminal, fit, isShown]);

  return (
    <>
      <ToolNotice state={state} onAgain={() => socket.start()} />
      <Box sx={frame}>
        <Box ref={place} sx={{ position: "absolute", inset: "8px 4px 8px 12px" }} />
      </Box>
      <Box sx={{ padding: "6px 16px", typography: "caption", color: "text.secondary", flex: "none" }}>
        {t("tools.shell.help")}
      </Box>
    </>
  );
}

function createTerminal() {
  const terminal = new Terminal({
    fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
    fontSize: 13,
    scrollback: SCROLLBACK,
    cursorBlink: false,
    // Its text is for screen readers as well.
    screenReaderMode: true,
    theme: { background: BACKGROUND, foreground: "#E7EEEA", cursor: "#69C89E", selectionBackground: "#2E5A48" },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  return { terminal, fit };
}

/** A terminal is dark, whatever is around it. */
const BACKGROUND = "#101815";
const frame = { position: "relative", flex: 1, minHeight: 0, background: BACKGROUND, fontVariantLigatures: "none" };
