import { Box, Link, Paper, Typography } from "@mui/material";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { takesFinger } from "./links.tsx";

interface Props {
  /** The end of its address, `/profile#password`, which stays the same: mails lead there. */
  id: string;
  title: string;
  /** What it is for, in a sentence or two. */
  about?: React.ReactNode;
  children: React.ReactNode;
}

/** One matter of a page that has several: what it is about, and beside it, or below it on a phone, what can be done. */
export function PageSection({ id, title, about, children }: Props) {
  const { hash, key } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  // Another one each time that the link is pressed.
  const visit = hash === `#${id}` ? key : undefined;

  useEffect(() => {
    if (visit === undefined) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, [visit]);

  return (
    <Box component="section" aria-labelledby={id} sx={section}>
      <Box sx={{ maxWidth: "72ch" }}>
        <Typography variant="h2" id={id} ref={heading} tabIndex={-1} sx={{ scrollMarginTop: 76, outline: 0 }}>
          <Link href={`#${id}`} color="inherit" underline="hover" sx={takesFinger}>
            {title}
          </Link>
        </Typography>
        {about && (
          <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
            {about}
          </Typography>
        )}
      </Box>
      <Paper variant="outlined" sx={{ p: { xs: 4, sm: 5 }, borderRadius: "10px", minWidth: 0 }}>
        {children}
      </Paper>
    </Box>
  );
}

const section = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 280px) minmax(0, 640px)" },
  alignItems: "start",
  columnGap: 10,
  rowGap: 3,
} as const;
