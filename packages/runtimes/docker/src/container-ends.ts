import { abortable, type Clock } from "@terrarium/clock";
import type { Ask } from "@terrarium/runtime";
import type Docker from "dockerode";
import type { Container, GetEventsOptions } from "dockerode";
import { label } from "./container.ts";
import { textOf, unlessGone } from "./docker-answers.ts";

const RETRY_MS = 2_000;
const LAST_WORDS = 5;
const MAX_WORDS = 500;

/** Why a container has ended, as far as Docker and the container say. */
export async function lastWords(container: Container, ask: Ask): Promise<string> {
  try {
    const { State } = await ask(() => container.inspect());
    const printed = await ask(() => container.logs({ stdout: true, stderr: true, tail: LAST_WORDS }));
    const words = textOf(printed).trim().slice(-MAX_WORDS);
    const how = State.OOMKilled ? "used more memory than its profile has" : `ended with code ${State.ExitCode}`;
    return `its container ${how}${State.Error && `, ${State.Error}`}${words && `, and said: ${words}`}`;
  } catch (error) {
    const isGone = (error as { statusCode?: number }).statusCode === 404;
    return isGone ? "its container was removed" : "its container ended";
  }
}

/** Hears when containers of a place end, until the signal aborts, so that nobody waits for the next look. */
export async function hearEnds(
  docker: Docker,
  { clock, place, onEnd }: { clock: Clock; place: () => Promise<string>; onEnd: () => Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const filters = { type: ["container"], event: ["die"], label: [`${label.place}=${await place()}`] };
      const asked = docker.getEvents({ filters, abortSignal: signal } as GetEventsOptions);
      const events = await abortable(asked, signal);
      for await (const event of events) {
        // Docker's events come before its lists change; whoever asks for the container itself waits until they have.
        for (const [, id = ""] of String(event).matchAll(/"id":"([\da-f]{64})"/g))
          await abortable(docker.getContainer(id).inspect(), signal).catch(unlessGone);
        await onEnd();
      }
    } catch {
      // The next look finds out what is wrong.
    }
    await clock.sleep(RETRY_MS, signal).catch(() => undefined);
  }
}
