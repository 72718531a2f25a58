import type { ReplayEvent, ReplayStory } from "@terrarium/contract";
import type { WebSocket } from "ws";

/** A story has 14,000 events at most. */
const MAX_STORY_BYTES = 16 * 1024 * 1024;
/** How much may be dealt with before it is said: the service sends no more than 2 MiB ahead. */
const CONFIRM_BYTES = 256 * 1024;
const MAX_LINES = 400;

interface Said {
  type?: string;
  error?: { code?: string };
}

/**
 * What has just happened on a device, from its socket for tools (`tools_url`), which is closed then.
 * @throws Error if the device gives none; the signal's reason
 */
export async function readStory(socket: WebSocket, token: string, signal: AbortSignal): Promise<ReplayStory> {
  const chunks: Buffer[] = [];
  let [received, confirmed] = [0, 0];
  let leave: () => void = () => undefined;
  // Node 20, on which the command line runs, has no `Promise.withResolvers`.
  const whole = new Promise<Buffer>((resolve, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener("abort", leave);
    socket.on("open", () => socket.send(JSON.stringify({ token, tool: "story" })));
    socket.on("error", reject);
    socket.on("close", (_code, reason) =>
      reject(new Error(`The device tells nothing: ${reason.toString() || "it is away"}.`)),
    );
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) {
        chunks.push(data);
        received += data.length;
        if (received > MAX_STORY_BYTES) return reject(new Error("What happened has no end."));
        if (received - confirmed >= CONFIRM_BYTES) socket.send(JSON.stringify({ received: (confirmed = received) }));
        return;
      }
      const { type, error } = JSON.parse(data.toString()) as Said;
      if (type === "END") resolve(Buffer.concat(chunks));
      else if (type === "FAIL") reject(new Error(`The device tells nothing: ${error?.code}.`));
    });
    if (signal.aborted) leave();
  });
  try {
    return JSON.parse((await whole).toString()) as ReplayStory;
  } finally {
    signal.removeEventListener("abort", leave);
    socket.terminate();
  }
}

/** The last seconds of a story, a line for each thing that happened, with how long before the end it was. */
export function storyLines({ events, duration_ms }: ReplayStory, seconds: number): string[] {
  const since = duration_ms - seconds * 1000;
  const lines = events
    .filter(({ at }) => at >= since)
    .flatMap((event) => {
      const words = wordsOf(event);
      return words === undefined ? [] : [`-${((duration_ms - event.at) / 1000).toFixed(1)} s ${words}`];
    });
  const left = lines.length - MAX_LINES;
  return left > 0 ? [`(${left} lines before these)`, ...lines.slice(left)] : lines;
}

/** Fingers that only move are left out. */
function wordsOf(event: ReplayEvent): string | undefined {
  switch (event.type) {
    case "touch":
      if (event.action === "move") return undefined;
      return `a finger goes ${event.action} at ${event.x},${event.y} of ${event.width} x ${event.height}`;
    case "scroll":
      return `a wheel turns at ${event.x},${event.y} of ${event.width} x ${event.height}`;
    case "button":
      return `the button ${event.name}`;
    case "typing":
      return "something is typed";
    case "adb":
      return `adb: ${event.command}`;
    case "log":
      return `log: ${event.text}`;
    case "turn":
      return `the screen becomes ${event.width} x ${event.height}`;
    case "app":
      return `the app ${event.name} is shown`;
    case "viewers":
      return `${event.count} watch`;
    case "gadget":
      return `the tool ${event.name} is used`;
    case "scenario":
      return `step ${event.step} of a scenario: ${event.name}`;
    default:
      return undefined;
  }
}
