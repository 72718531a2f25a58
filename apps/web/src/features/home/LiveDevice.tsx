import "../../en/home.ts";
import { Box, IconButton, Typography } from "@mui/material";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { SILL, standing } from "./standing.ts";
import { openShowcase, type OpenShowcase, type PointerEventName, type ShowcaseRefusal } from "./showcase.ts";

interface Props extends Omit<React.ComponentProps<typeof DeviceDrawing>, "screen"> {
  /** Whether it is visible; otherwise its picture is not requested. */
  isSeen: boolean;
}

/** The showcase device of this installation, which visitors may touch. A drawing stands in for it until the first picture arrives. */
export default function LiveDevice({ isSeen, ...drawing }: Props) {
  const { t } = useTranslation();
  const [isPlaying, setPlaying] = useState(true);
  /** Until then, a finger that moves up or down on it scrolls the page, as everywhere else. */
  const [isTouched, setTouched] = useState(false);
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [refusal, setRefusal] = useState<ShowcaseRefusal>();
  /** Nothing is announced until it has appeared or was paused. From then on its button stays. */
  const [isKnown, setKnown] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef<ImageBitmap>(undefined);
  const showcase = useRef<OpenShowcase>(undefined);

  // Another size clears what was drawn.
  useLayoutEffect(() => {
    if (size) draw(latest.current, canvas.current);
  }, [size]);

  useEffect(() => {
    if (!isSeen || !isPlaying) return undefined;
    const opened = openShowcase({
      onPicture(picture) {
        latest.current?.close();
        latest.current = picture;
        const { width, height } = picture;
        setKnown(true);
        setSize((before) => (before?.width === width && before.height === height ? before : { width, height }));
        draw(picture, canvas.current);
      },
      onReplaced: () => setTouched(false),
      onOver(refused) {
        setKnown(refused !== "ROUTE_NOT_FOUND");
        setRefusal(refused);
        setPlaying(false);
        setSize(undefined);
      },
    });
    showcase.current = opened;
    return () => {
      showcase.current = undefined;
      opened.close();
    };
  }, [isSeen, isPlaying]);

  const say = (type: PointerEventName) => (event: PointerEvent<HTMLCanvasElement>) => {
    const { currentTarget: screen, clientX, clientY, pointerId, isPrimary } = event;
    if (!isPrimary) return;
    if (type === "MOUSE_PRESS") {
      screen.setPointerCapture(pointerId);
      setTouched(true);
    } else if (type === "MOUSE_MOVE" && !screen.hasPointerCapture(pointerId)) return;
    const box = screen.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * screen.width;
    const y = ((clientY - box.top) / box.height) * screen.height;
    showcase.current?.send({ type, x, y });
  };

  const shown = size && (isPlaying ? "try" : "watch");
  const missing = refusal === "TOO_MANY_REQUESTS" ? "tooOften" : isPlaying ? "waiting" : undefined;
  const says = shown ?? missing;

  return (
    <>
      <Box sx={standing}>
        <DeviceDrawing
          {...drawing}
          screen={
            size && (
              <Box
                component="canvas"
                ref={canvas}
                {...size}
                data-live
                sx={screenStyle}
                style={{ touchAction: isTouched ? "none" : "pan-y" }}
                onPointerDown={say("MOUSE_PRESS")}
                onPointerMove={say("MOUSE_MOVE")}
                onPointerUp={say("MOUSE_RELEASE")}
                onPointerCancel={say("MOUSE_RELEASE")}
              />
            )
          }
        />
      </Box>
      {isKnown && (
        <Box sx={line}>
          <Typography variant="caption" color="textSecondary" aria-live="polite">
            {says && t(`home.live.${says}`)}
          </Typography>
          <IconButton
            size="small"
            aria-label={t(isPlaying ? "home.live.pause" : "home.live.play")}
            onClick={() => {
              setRefusal(undefined);
              setPlaying(!isPlaying);
            }}
          >
            <Icon glyph={isPlaying ? Pause : Play} size={16} />
          </IconButton>
        </Box>
      )}
    </>
  );
}

function draw(picture: ImageBitmap | undefined, canvas: HTMLCanvasElement | null): void {
  if (picture) canvas?.getContext("2d")?.drawImage(picture, 0, 0);
}

const screenStyle = { display: "block", width: "100%", height: "100%", cursor: "pointer" } as const;
/** On the sill; on a phone above the device, as the commands stand on the sill there. */
const line = {
  position: "absolute",
  right: { xs: 12, md: 24 },
  top: { xs: 16, md: "auto" },
  bottom: { md: 0 },
  height: SILL,
  display: "flex",
  alignItems: "center",
  gap: 1,
} as const;
