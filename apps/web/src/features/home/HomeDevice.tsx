import { Box } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { fetchCode } from "../../components/fetch-code.ts";
import { useSeen } from "../../components/use-seen.ts";
import { whenIdle } from "../../components/when-idle.ts";
import { publicSettings } from "../../session/settings.ts";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import type { DrawnProfile } from "../../shared/drawing-layout.ts";
import { standing, within } from "./standing.ts";

interface Live extends Omit<React.ComponentProps<typeof DeviceDrawing>, "screen"> {
  isSeen: boolean;
}

/** If its code cannot be had, the drawing stays. */
const LiveDevice = lazy(() =>
  fetchCode<{ default: React.ComponentType<Live> }>(() => import("./LiveDevice.tsx")).catch(() => ({ default: Still })),
);

const phone: DrawnProfile = {
  form_factor: "PHONE",
  display_mode: "REGULAR",
  display_settings: { displays: [{ width: 1080, height: 2400, density: 420 }], hw_navigation_keys: false },
};

/** The picture of the home page: a drawing, which comes alive where the operator shows a device, and the visitor sees it and wants it to move. */
export function HomeDevice() {
  const showcase = useQuery(publicSettings).data?.showcase;
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const [isWanted, setWanted] = useState(false);
  useEffect(() => (showcase && isSeen && mayMove() ? whenIdle(() => setWanted(true)) : undefined), [showcase, isSeen]);
  const drawing = { profile: showcase ?? phone, within };
  const still = <Still {...drawing} />;
  return (
    <Box ref={place} sx={room}>
      {isWanted ? (
        <Suspense fallback={still}>
          <LiveDevice {...drawing} isSeen={isSeen} />
        </Suspense>
      ) : (
        still
      )}
    </Box>
  );
}

const Still = ({ profile, within: size }: Omit<Live, "isSeen">) => (
  <Box sx={standing}>
    <DeviceDrawing profile={profile} within={size} />
  </Box>
);

/** Not for whoever wants little motion or little data, nor where the browser has no decoder for it, as without TLS. */
function mayMove(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return (
    typeof VideoDecoder === "function" &&
    connection?.saveData !== true &&
    !matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

const room = { position: "absolute", inset: 0, display: "grid", justifyItems: "center" } as const;
