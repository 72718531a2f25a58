import { Box } from "@mui/material";
import type { DisplaySession } from "@terrarium/sdk/display";
import { useEffect } from "react";
import { mark, markLayer } from "../mark-style.ts";
import { useDisplayStatus } from "../use-display-status.ts";
import { areInStep, boxOf, idAtPoint, nodeAt } from "./ui-node.ts";
import type { UiTreeSource } from "./ui-tree-source.ts";
import { useUiTree } from "./use-ui-tree.ts";

/** Marks on the picture what is chosen and what is pointed at in the tree; while one picks, it withholds the pointer from the device. */
export default function UiTreeMarks({ source, session }: { source: UiTreeSource; session: DisplaySession }) {
  const { tree, chosen, marked, isPicking } = useUiTree(source);
  const picture = useDisplayStatus(session, "picture");
  useEffect(() => {
    if (!isPicking) return undefined;
    const leave = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      // The device takes it for Back.
      event.stopPropagation();
      source.pick(false);
    };
    document.addEventListener("keydown", leave, { capture: true });
    return () => document.removeEventListener("keydown", leave, { capture: true });
  }, [isPicking, source]);
  if (!tree || !areInStep(tree, picture)) return null;
  const idAt = (event: React.PointerEvent) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    return idAtPoint(
      tree.root,
      ((event.clientX - left) / width) * tree.width,
      ((event.clientY - top) / height) * tree.height,
    );
  };
  const box = (id: string | undefined, what: "chosen" | "marked") => {
    const node = nodeAt(tree.root, id);
    return node && <Box data-testid={`ui-${what}`} data-what={what} sx={mark} style={boxOf(node, tree)} />;
  };
  return (
    <Box
      aria-hidden="true"
      data-testid="ui-marks"
      sx={layer}
      style={isPicking ? { pointerEvents: "auto", cursor: "crosshair" } : undefined}
      onPointerMove={(event) => source.mark(idAt(event))}
      onPointerLeave={() => source.mark(undefined)}
      onPointerUp={(event) => source.choose(idAt(event))}
    >
      {box(chosen, "chosen")}
      {marked !== chosen && box(marked, "marked")}
    </Box>
  );
}

const layer = { ...markLayer, touchAction: "none" };
