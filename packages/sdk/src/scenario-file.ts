import { type GivenScenario, limits, Scenario } from "@terrarium/contract";
import { isNode, LineCounter, parseDocument, stringify } from "yaml";
import { z } from "zod";

/** What is wrong in a file, and where. */
export interface FileProblem {
  /** From 1. */
  line: number;
  message: string;
}

/** The most aliases that a file may expand to: a few lines of YAML could be gigabytes otherwise. */
const MAX_ALIASES = 100;

/** What a file of YAML or JSON says, if it is what `schema` asks for, as it was written; otherwise what is wrong, in the order of its lines. */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): { given: z.input<Schema>; problems?: undefined } | { problems: FileProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  if (document.errors.length > 0)
    return { problems: document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message })) };
  let given: unknown;
  try {
    given = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    return { problems: [{ line: 1, message: "It has too many aliases" }] };
  }
  const read = schema.safeParse(given);
  if (read.success) return { given: given as z.input<Schema> };
  /** Where the innermost thing begins that the file has of what is meant. */
  const lineOf = (path: readonly PropertyKey[]) => {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 1;
  };
  const problems = read.error.issues.map(({ path, message }) => ({
    line: lineOf(path),
    message: path.length > 0 ? `${z.core.toDotPath(path)}: ${message}` : message,
  }));
  return { problems: problems.toSorted((a, b) => a.line - b.line) };
}

/** A scenario as its file says it. */
export function readScenario(
  text: string,
): { scenario: GivenScenario; problems?: undefined } | { problems: FileProblem[] } {
  if (text.length > limits.scenarioBytes) return { problems: [{ line: 1, message: "The file is too large" }] };
  const read = readYaml(text, Scenario);
  return read.problems ? read : { scenario: read.given };
}

/** The file that says a scenario. */
export const writeScenario = (scenario: Scenario): string => stringify(scenario);

/** For editors, which complete and check files by it. */
export const scenarioSchema = (): object => z.toJSONSchema(Scenario, { io: "input" });
