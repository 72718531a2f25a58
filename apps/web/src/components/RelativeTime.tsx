import { Box, Tooltip } from "@mui/material";
import { dateTime, relativeTime } from "./dates.ts";
import { useNow } from "./use-now.ts";

const EVERY_MS = 30_000;

interface Props {
  time: string;
  /** The exact time shows on focus as well, by the Tab key or the arrows of a table. */
  isStop?: boolean;
}

/** How long ago something was, updated while it is shown; exactly, in the reader's time zone, on hover. */
export function RelativeTime({ time, isStop = false }: Props) {
  const now = useNow(EVERY_MS);
  const exact = dateTime(time, "");
  const words = relativeTime(time, now);
  if (!isStop)
    return (
      <time dateTime={time} title={exact}>
        {words}
      </time>
    );
  return (
    <Tooltip title={exact} describeChild>
      <Box component="time" dateTime={time} tabIndex={0}>
        {words}
      </Box>
    </Tooltip>
  );
}
