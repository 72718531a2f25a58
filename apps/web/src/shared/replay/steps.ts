import type { ReplayEvent } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { type Stroke, strokesOf } from "./strokes.ts";

/** One line of a replay: something that was done, something that changed, or a line of the log. */
export interface Step {
  at: number;
  kind: "done" | "changed" | "log";
  text: string;
  /** Of a line of the log. */
  level?: string;
}

/** A finger that moves less, as a part of the picture, taps; one that stays longer holds. */
const TAP_WAY = 0.03;
const HOLD_MS = 500;

const LEVEL = /^(?:\d{4}-)?\d\d-\d\d +[\d:.]+ +(?:\S+ +)?\d+ +\d+ ([VDIWEF]) /;

/** All of it in words, in the order in which it happened. */
export function stepsOf(events: readonly ReplayEvent[], t: TFunction): Step[] {
  const touches = strokesOf(events).map((stroke): Step => ({
    at: stroke.from,
    kind: "done",
    text: sayStroke(stroke, t),
  }));
  const others = events.flatMap((event) => stepOf(event, t) ?? []);
  return [...touches, ...others].toSorted((a, b) => a.at - b.at);
}

function stepOf(event: ReplayEvent, t: TFunction): Step | undefined {
  const { at } = event;
  switch (event.type) {
    case "button":
      return { at, kind: "done", text: t("replay.step.button", { name: t(`replay.button.${event.name}`) }) };
    case "typing":
      return { at, kind: "done", text: t("replay.step.typing") };
    case "gadget":
      return { at, kind: "done", text: t("replay.step.gadget", { name: event.name }) };
    case "scenario":
      return { at, kind: "done", text: t("replay.step.scenario", { step: event.step, name: event.name }) };
    case "adb":
      return { at, kind: "done", text: t("replay.step.adb", { command: event.command }) };
    case "log":
      return { at, kind: "log", text: event.text, level: LEVEL.exec(event.text)?.[1] ?? "I" };
    case "turn":
      return { at, kind: "changed", text: t("replay.step.turn", { width: event.width, height: event.height }) };
    case "app":
      return { at, kind: "changed", text: t("replay.step.app", { name: event.name }) };
    case "viewers":
      return { at, kind: "changed", text: t("replay.step.viewers", { count: event.count }) };
    default:
      // Fingers and wheels are listed as strokes.
      return undefined;
  }
}

function sayStroke({ points, from, until, isWheel }: Stroke, t: TFunction): string {
  if (isWheel) return t("replay.step.scroll");
  const [first = { at: 0, x: 0, y: 0 }] = points;
  const last = points.at(-1) ?? first;
  const [x, y] = [last.x - first.x, last.y - first.y];
  const place = { x: percent(first.x), y: percent(first.y) };
  if (Math.hypot(x, y) < TAP_WAY) return t(until - from < HOLD_MS ? "replay.step.tap" : "replay.step.hold", place);
  const way = Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up";
  return t(`replay.step.swipe.${way}`, place);
}

const percent = (part: number) => Math.round(part * 100);
