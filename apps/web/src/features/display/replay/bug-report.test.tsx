import "../../../en/replay.ts";
import type { ReplayEvent } from "@terrarium/contract";
import i18next from "i18next";
import { expect, it } from "vitest";
import { anInstance } from "../../../testing/factories.ts";
import { aReplayStory } from "../../../testing/replay.ts";
import { bugReport } from "./bug-report.ts";

const report = (events?: ReplayEvent[], name = "fern") =>
  bugReport(
    { device: anInstance({ name }), story: aReplayStory(events && { events }), file: "fern.mp4" },
    i18next.t.bind(i18next),
  );

const log = (text: string): ReplayEvent => ({ at: 1, type: "log", text: `03-02 09:41:05.000  1  1 ${text}` });

it("has the steps with their times, the facts, what was logged in trouble, and the video's name", () => {
  const text = report();
  expect(text).toContain(
    [
      "## Steps",
      "",
      "1. `0:01.0` Swiped up from 50 %, 83 %",
      "2. `0:03.0` Typed on the keyboard",
      "3. `0:06.0` Pressed Back",
      "4. `0:12.5` com.example.fern came to the front",
    ].join("\n"),
  );
  expect(text).toMatch(/^# Bug on fern\n/);
  expect(text).toContain("- Recorded from: 2026-03-02T09:41:00.000Z");
  expect(text).toMatch(/- Screen: \d+ × \d+, \d+ dpi/);
  expect(text).toContain("```text\n0:12.0  03-02 09:41:12.000  1234  1240 E Fern: a leaf fell\n```");
  expect(text).not.toContain("all is well");
  expect(text).toContain("Attach fern.mp4: it is 0:20.0 long");
});

it("says so when nobody touched the device and nothing was logged", () => {
  const text = report([{ at: 1, type: "viewers", count: 2 }]);
  expect(text).toContain("Nobody touched the device.");
  expect(text).toContain("Nothing was logged.");
});

it("has the latest of many, and calm lines where there are no others", () => {
  const presses = Array.from({ length: 70 }, (_, at): ReplayEvent => ({ at, type: "button", name: "back" }));
  const text = report([...presses, ...Array.from({ length: 30 }, (_, line) => log(`I Fern: line ${line} of it`))]);
  expect(text).toContain("10 earlier steps are left out.");
  expect(text.match(/Pressed Back/g)).toHaveLength(60);
  expect(text).toContain("line 10 of it");
  expect(text).not.toContain("line 9 of it");
});

it("lets nothing that a name or a log says be Markdown", () => {
  const text = report([log("E Fern: ```` ![](http://x)")], "[a](http://x) <b> `c`\n# d");
  expect(text).toMatch(/^# Bug on \\\[a\\\]\(http:\/\/x\) \\<b\\> \\`c\\` \\# d\n\n/);
  expect(text).toMatch(/\n`````text\n.*````.*\n`````\n/);
});
