import { rect } from "../draw/rect.ts";
import type { Point } from "../ui/hit.ts";
import type { CreateApp } from "./app.ts";
import { latencyMark, latencyMarkPlace } from "./latency-mark.ts";

/** Of the dot. */
const RADIUS_DP = 8;

/**
 * Counts fingers as they come down, and shows the count so that a page can read it out of the video. A finger that moves takes a dot along,
 * so that something moves for as long as it does.
 */
export const createLatency: CreateApp = (_shell, app) => {
  let count = 0;
  let dot: Point | undefined;
  return {
    packageName: app.packageName,
    activity: ".Latency",
    statusBar: () => ({ back: "#000000", ink: "#ffffff" }),
    draw(ui, frame) {
      const { pen } = ui;
      const { area } = frame;
      pen.fill(area, "#101312");
      ui.area("latency", area, {
        blocks: true,
        down: () => {
          count++;
        },
        drag: {
          axis: "both",
          move: (_by, at) => {
            dot = at;
          },
          end: () => {
            dot = undefined;
          },
        },
        focusable: true,
      });
      const s = pen.scale;
      const place = latencyMarkPlace(Math.round(ui.screen.w * s), Math.round(ui.screen.h * s));
      const block = place.size / 8 / s;
      const mark = rect(place.x / s, place.y / s, place.size / s, place.size / s);
      // A grey edge keeps the outer blocks clear of the picture around them when the video is blurred.
      pen.fill(rect(mark.x - 8, mark.y - 8, mark.w + 16, mark.h + 16), "#808080");
      pen.fill(mark, "#000000");
      latencyMark(count).forEach((white, i) => {
        if (white)
          pen.fill(rect(mark.x + (i % 8) * block, mark.y + Math.floor(i / 8) * block, block, block), "#ffffff");
      });
      if (dot) pen.circle(dot.x, dot.y, RADIUS_DP, "#ff8040");
      const x = mark.x + mark.w / 2;
      const room = mark.y - frame.insets.top;
      const wide = area.w > area.h;
      const style = { weight: 300, color: "#ffffff", align: "center" } as const;
      if (wide) {
        const side = (mark.x + frame.insets.left) / 2;
        pen.text(String(count), side, mark.y + mark.h / 2, { ...style, size: 56 });
        pen.text("Touch anywhere", side, mark.y + mark.h / 2 + 48, {
          ...style,
          size: 14,
          weight: 400,
          color: "#a6b3ad",
          max: mark.x - 24,
        });
        return;
      }
      pen.text(String(count), x, mark.y - room * 0.48, { ...style, size: Math.min(72, room * 0.4) });
      if (ui.compact) return;
      pen.text("Touch anywhere", x, mark.y + mark.h + room * 0.28, {
        ...style,
        size: 16,
        weight: 400,
        color: "#a6b3ad",
      });
      const hint = "Each touch is counted and painted at once, as blocks that a page can read out of the video.";
      const width = Math.min(300, area.w - 64);
      pen.paragraph(hint, rect(x - width / 2, mark.y + mark.h + room * 0.28 + 22, width, 0), {
        size: 13,
        color: "#7f8d86",
        align: "center",
      });
    },
  };
};
