import { Box, type SxProps } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type HTMLAttributes, useEffect, useLayoutEffect, useRef, useState } from "react";

interface Props extends Omit<HTMLAttributes<HTMLDivElement>, "children" | "onScroll"> {
  count: number;
  /** In pixels; all have the same. */
  rowHeight: number;
  /** Draws the rows from one up to another. */
  children: (from: number, to: number) => React.ReactNode;
  /** The row that must be in sight. */
  active?: number | undefined;
  /** Stays at the end while rows are added there. */
  isFollowing?: boolean;
  /** Hears whether somebody has scrolled to the end, or away from it. */
  onFollow?: (isFollowing: boolean) => void;
  sx?: SxProps<Theme>;
}

/** Drawn above and below what is in sight, so that a fast wheel finds rows. */
const BEYOND = 12;

/** Any number of rows of one height, of which only those are drawn that are in sight. */
export function VirtualRows(props: Props) {
  const { count, rowHeight, children, active, isFollowing = false, onFollow, sx, ...attributes } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const from = Math.max(0, Math.min(count, Math.floor(view.top / rowHeight)) - BEYOND);
  const to = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + BEYOND);

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = frame.current;
    // Rows may have come, or the room for them may have changed.
    if (element && isFollowing && view.height > 0) element.scrollTop = count * rowHeight;
  }, [isFollowing, count, rowHeight, view.height]);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || active === undefined || active < 0) return;
    const top = active * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }, [active, rowHeight]);

  return (
    <Box
      ref={frame}
      {...attributes}
      onScroll={({ currentTarget: { scrollTop: top, clientHeight: height, scrollHeight } }) => {
        setView({ top, height });
        onFollow?.(top + height >= scrollHeight - rowHeight);
      }}
      sx={[{ overflow: "auto", minHeight: 0 }, ...(Array.isArray(sx) ? sx : [sx ?? false])]}
    >
      <Box role="presentation" style={{ height: count * rowHeight, minWidth: "100%", width: "max-content" }}>
        <Box role="presentation" style={{ transform: `translateY(${from * rowHeight}px)` }}>
          {children(from, to)}
        </Box>
      </Box>
    </Box>
  );
}
