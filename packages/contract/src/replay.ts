/** The sixteen letters by which the box with a replay's story is known: the last box of its MP4, of the type `uuid`, and in it JSON. */
export const REPLAY_BOX = "terrarium replay";

/** How far back a replay goes, in milliseconds. */
export const REPLAY_MS = 90_000;

/** The keys that are named. All others are typing: what was typed is nobody's business, as it may have been a password. */
export const replayButtons = ["back", "home", "recents", "power", "volumeUp", "volumeDown"] as const;
export type ReplayButton = (typeof replayButtons)[number];

/** A place on a picture of this size, in its pixels. */
export interface ReplayPlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Something that happened. */
export type ReplayHappening =
  | ({ type: "touch"; action: "down" | "move" | "up"; finger: number } & ReplayPlace)
  | ({ type: "scroll" } & ReplayPlace)
  | { type: "button"; name: ReplayButton }
  /** Keys were pressed, the last of them at `until`. */
  | { type: "typing"; until: number }
  /** Android's `input` was run over adb, through a tunnel of this service; of what it types there is only that it did. */
  | { type: "adb"; command: string }
  /** A line of the device's log, as `logcat -v threadtime` prints it. */
  | { type: "log"; text: string }
  /** The picture has this size from now on. */
  | { type: "turn"; width: number; height: number }
  /** An app has come to the front. */
  | { type: "app"; name: string }
  /** This many people watch. */
  | { type: "viewers"; count: number }
  /** Somebody used a tool of the device, such as `battery`. */
  | { type: "gadget"; name: string }
  /** A step of a scenario, by its number from 1, and its name if it has one. */
  | { type: "scenario"; step: number; name: string };

/** `at` and `until` are milliseconds since the beginning of the video. */
export type ReplayEvent = ReplayHappening & { at: number };

/** What happened while a replay's video was taken: the JSON beside its MP4. */
export interface ReplayStory {
  version: 1;
  began_at: string;
  duration_ms: number;
  /** In the order in which they happened. */
  events: ReplayEvent[];
}
