import { Box, Portal, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useEffect, useEffectEvent, useState } from "react";
import { EmptyArch } from "./drawings.tsx";

interface Props {
  title: string;
  help: string;
  onFiles: (files: File[]) => void;
}

/** Takes files that are dropped anywhere on the page; while they are dragged over it, the page says so. */
export function FileDrop({ title, help, onFiles }: Props) {
  const [isOver, setOver] = useState(false);
  const drop = useEffectEvent((event: DragEvent) => {
    setOver(false);
    onFiles(Array.from(event.dataTransfer?.files ?? []));
  });
  useEffect(() => {
    const listening = new AbortController();
    const listen = (type: "dragenter" | "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void) =>
      addEventListener(
        type,
        (event) => {
          if (!event.dataTransfer?.types.includes("Files")) return;
          // Else the browser would open the file, and leave the page.
          event.preventDefault();
          act(event);
        },
        { signal: listening.signal },
      );
    listen("dragenter", () => setOver(true));
    listen("dragover", () => setOver(true));
    // Between two elements of the page it has a target; only out of the window has none.
    listen("dragleave", ({ relatedTarget }) => relatedTarget ?? setOver(false));
    listen("drop", (event) => drop(event));
    return () => listening.abort();
  }, []);
  if (!isOver) return null;
  return (
    <Portal>
      <Box sx={veil}>
        <Box sx={frame}>
          <EmptyArch />
          <Typography variant="h2" component="p" sx={{ mt: 3, overflowWrap: "anywhere" }}>
            {title}
          </Typography>
          <Typography color="textSecondary">{help}</Typography>
        </Box>
      </Box>
    </Portal>
  );
}

const veil = (theme: Theme) => ({
  position: "fixed",
  inset: 0,
  zIndex: theme.zIndex.modal + 1,
  p: 4,
  display: "grid",
  pointerEvents: "none",
  background: `color-mix(in srgb, ${theme.vars.palette.background.default} 92%, transparent)`,
});

const frame = (theme: Theme) => ({
  display: "grid",
  placeContent: "center",
  justifyItems: "center",
  gap: 2,
  p: 6,
  textAlign: "center",
  borderRadius: "20px",
  border: `2px dashed ${theme.vars.palette.primary.main}`,
});
