import { Box } from "@mui/material";
import { lazy, Suspense, useEffect, useId, useSyncExternalStore } from "react";
import { fetchCode } from "./fetch-code.ts";
import { Listeners } from "./listeners.ts";
import { readSnacks, watchSnacks } from "./snack-queue.ts";

/** No page begins with one. */
const SnackLine = lazy(() => fetchCode(() => import("./SnackLine.tsx")));

/** The places where snacks may be shown, the one in front last: the page, and each dialog above it. */
let places: string[] = [];
const watchers = new Listeners();
const changePlaces = (next: string[]) => {
  places = next;
  watchers.notify();
};

/**
 * What was just done or went wrong, at the bottom left. The app has one of these and each dialog its own: only the one in
 * front shows them, so that they lie above the dialog and are among what the Tab key reaches in it.
 */
export function Snacks() {
  const id = useId();
  useEffect(() => {
    changePlaces([...places, id]);
    return () => changePlaces(places.filter((place) => place !== id));
  }, [id]);
  const isInFront = useSyncExternalStore(
    watchers.subscribe,
    () => places.at(-1) === id,
    () => false,
  );
  const snacks = useSyncExternalStore(watchSnacks, readSnacks, readSnacks);
  if (!isInFront || snacks.length === 0) return null;
  return (
    <Box sx={corner}>
      <Suspense>
        {snacks.map((each) => (
          <SnackLine key={each.id} snack={each} />
        ))}
      </Suspense>
    </Box>
  );
}

const corner = {
  position: "fixed",
  left: { xs: 16, sm: 24 },
  right: { xs: 16, sm: "auto" },
  // Above what else stands at the bottom: the bar of chosen rows, or on a phone the buttons of a dialog.
  bottom: "calc(24px + var(--bulk-bar, 0px))",
  ".MuiDialog-paperFullScreen > &": { bottom: "calc(16px + 68px)" },
  zIndex: "snackbar",
  display: "grid",
  gap: 2,
  justifyItems: "start",
} as const;
