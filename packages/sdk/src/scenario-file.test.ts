import { describe, expect, it } from "vitest";
import { readScenario, scenarioSchema, writeScenario } from "./scenario-file.ts";

const file = `name: way home
repeat: 2
steps:
  - battery: { level: 15, charging: false }
  - after: 10s
    name: a message
    sms: { from: "+33612345678", text: Where are you? }
`;
const problemsOf = (text: string) => readScenario(text).problems?.map(({ line, message }) => `${line} ${message}`);

describe("readScenario", () => {
  it("reads YAML and JSON as they are written", () => {
    const scenario = {
      name: "way home",
      repeat: 2,
      steps: [
        { battery: { level: 15, charging: false } },
        { after: "10s", name: "a message", sms: { from: "+33612345678", text: "Where are you?" } },
      ],
    };
    expect(readScenario(file)).toEqual({ scenario });
    expect(readScenario(JSON.stringify(scenario, undefined, 2))).toEqual({ scenario });
  });

  it("says on which lines what is wrong, the first line first", () => {
    const wrong = file
      .replace("level: 15", "level: 150")
      .replace("10s", "10 seconds")
      .replace("repeat: 2", "repeat: 0");
    expect(problemsOf(wrong)).toEqual([
      expect.stringMatching(/^2 repeat: /),
      expect.stringMatching(/^4 steps\[0\].battery.level: /),
      expect.stringMatching(/^5 steps\[1\].after: Use a time such as/),
    ]);
    expect(problemsOf("steps:\n  - sms: { from: 33 }\n")).toEqual([
      expect.stringMatching(/^2 steps\[0\].sms.from: Put it in quotes/),
      expect.stringMatching(/^2 steps\[0\].sms.text: /),
    ]);
    expect(problemsOf("name: x\n")?.[0]).toMatch(/^1 steps: /);
  });

  it("says where a file is no YAML, or empty", () => {
    expect(problemsOf("steps:\n  - battery: {\n")?.[0]).toMatch(/^3 /);
    expect(problemsOf("")).toHaveLength(1);
  });

  it("expands no file into more than it may be", () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(",")}]`,
    );
    expect(problemsOf(["a0: &a0 [x]", ...levels].join("\n"))).toEqual(["1 It has too many aliases"]);
    expect(problemsOf(`steps: []#${"x".repeat(1024 ** 2)}`)).toEqual(["1 The file is too large"]);
  });
});

it("writes what it reads", () => {
  const { scenario } = readScenario(file) as { scenario: Parameters<typeof writeScenario>[0] };
  expect(readScenario(writeScenario(scenario))).toEqual({ scenario });
});

it("has a schema for editors", () => {
  expect(scenarioSchema()).toMatchObject({
    type: "object",
    required: ["steps"],
    properties: { repeat: { maximum: expect.any(Number) } },
  });
});
