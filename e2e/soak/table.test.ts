import { expect, it } from "vitest";
import { tableHead, tableLine } from "./table.ts";
import { aPart, aSample } from "./testing.ts";

it("prints each part and what the visitors saw below their names", () => {
  const sample = aSample(
    {
      server: aPart({
        bytes: 200 * 1024 ** 2,
        heapBytes: 50 * 1024 ** 2,
        descriptors: 40,
        threads: 11,
        cpuShare: 0.12,
        loopDelayMs: 20.4,
      }),
      hosts: aPart({ bytes: 1e9 }),
    },
    {
      starts: 9,
      viewers: 30,
      frames: 700,
      taps: 60,
      lostTaps: 1,
      refused: { A: 1, B: 2 },
      failures: ["x"],
      slowestMs: 81.6,
    },
  );
  expect([...tableHead(), tableLine({ ...sample, seconds: 90 })].map((line) => line.trimEnd())).toMatchInlineSnapshot(`
    [
      "         server                      | gateway                     | hosts                       | postgres                    |",
      " minutes   MB heap fds thr cpu% late |   MB heap fds thr cpu% late |   MB heap fds thr cpu% late |   MB heap fds thr cpu% late | starts viewers frames  taps lost refused failed slowest",
      "     1.5  200 50.0  40  11   12   20 |    0    -   0   0    0    - |  954    -   0   0    0    - |    0    -   0   0    0    - |      9      30    700    60    1       3      1      82",
    ]
  `);
});
