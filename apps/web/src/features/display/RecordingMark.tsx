import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { systemClock } from "@terrarium/clock";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { visuallyHidden } from "../../components/hidden.ts";
import { lengthText } from "../../shared/length-text.ts";

/** Shows everybody who watches that the device is recorded, and for how long. `since` is by our monotonic clock. */
export function RecordingMark({ since }: { since: number | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <Box component="output" sx={visuallyHidden}>
        {since !== undefined && t("display.recording")}
      </Box>
      {since !== undefined && (
        <Box component="span" aria-hidden sx={mark}>
          {t("display.recording")} <Length key={since} since={since} />
        </Box>
      )}
    </>
  );
}

function Length({ since }: { since: number }) {
  const [now, setNow] = useState(() => systemClock.monotonic());
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.monotonic()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <b>{lengthText(Math.max(0, now - since))}</b>;
}

const mark = (theme: Theme) => ({
  display: "inline-flex",
  alignItems: "center",
  gap: "6px",
  flex: "none",
  marginRight: "18px",
  color: theme.vars.palette.error.main,
  fontWeight: 550,
  "& b": { fontWeight: 600 },
  "&::before": {
    content: '""',
    width: 8,
    height: 8,
    borderRadius: "50%",
    background: "currentColor",
    // Where colours are the system's own.
    border: "1px solid",
  },
});
