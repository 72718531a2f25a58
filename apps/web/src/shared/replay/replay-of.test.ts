import { expect, it } from "vitest";
import { aReplayFile, aReplayStory } from "../../testing/replay.ts";
import { replayOf } from "./replay-of.ts";

it("takes a replay apart, so that its video tells nothing but the picture", async () => {
  const file = aReplayFile();
  const { story, video } = (await replayOf(file)) ?? {};
  expect(story).toEqual(aReplayStory());
  expect(await video?.text()).toMatch(/ftyp[^]*moov/);
  expect(await video?.text()).not.toContain("Fern");
});

it.each([
  [new Blob([])],
  [new Blob(["hello, this is no MP4"])],
  [aReplayFile().slice(0, 900)],
  [aReplayFile().slice(0, -5)],
])("finds none in anything else", async (file) => expect(await replayOf(file)).toBeUndefined());
