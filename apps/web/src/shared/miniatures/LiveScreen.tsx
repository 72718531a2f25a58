import { Box } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useSeen } from "../../components/use-seen.ts";
import { latestPicture } from "./latest-pictures.ts";
import { lookAt } from "./miniatures.ts";

interface Props {
  device: Instance;
  /** Whether there is something to look at; if not, the last picture stays, dimmed. */
  isLive: boolean;
  /** Called with the size of the picture: a device that has turned has another. */
  onSize?: (size: { width: number; height: number }) => void;
}

/** What a device shows now, in small, while it is in sight. Dark until there is a picture. It stays with its first device. */
export function LiveScreen({ device, isLive, onSize }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isSeen = useSeen(canvas);
  const draw = useEffectEvent(() => {
    const picture = latestPicture(device.uuid);
    const element = canvas.current;
    if (!picture || !element) return;
    if (element.width !== picture.width || element.height !== picture.height) {
      element.width = picture.width;
      element.height = picture.height;
      onSize?.({ width: picture.width, height: picture.height });
    }
    element.getContext("2d")?.drawImage(picture, 0, 0);
    element.dataset["pictures"] = String(Number(element.dataset["pictures"] ?? 0) + 1);
  });
  // Before the first paint, so that coming back shows the picture at once.
  useLayoutEffect(() => draw(), []);
  const look = useEffectEvent(() => lookAt(device, draw));
  useEffect(() => (isLive && isSeen ? look() : undefined), [isLive, isSeen]);
  return (
    <Box sx={glass}>
      <Box component="canvas" ref={canvas} width={0} height={0} sx={picture} style={{ opacity: isLive ? 1 : 0.4 }} />
    </Box>
  );
}

const glass = { width: "100%", height: "100%", background: "#0A0E0D" };
const picture = { display: "block", width: "100%", height: "100%", transition: "opacity 180ms" };
