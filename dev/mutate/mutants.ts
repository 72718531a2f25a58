import { parseSync, Visitor } from "vite";

/** A small change that a test should detect: `text` replaces the source from `start` to `end`. */
export interface Mutant {
  start: number;
  end: number;
  text: string;
  line: number;
  /** A short description of the change. */
  what: string;
}

interface Span {
  start: number;
  end: number;
}

const BOUNDARIES: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const EQUALITIES: Record<string, string> = { "===": "!==", "!==": "===" };
const LOGICAL: Record<string, string> = { "&&": "||", "||": "&&" };
/** Methods of a query that can be dropped: it still runs, but on other rows. */
const CONDITIONS = /^(where|whereRef|on|onRef|forUpdate|limit|offset)$/;

/**
 * The mutants of a TypeScript file: conditions dropped or negated, boundaries moved, limits changed, query conditions dropped, a WHERE
 * without effect, a count that is always zero, a call that is never made.
 * @throws {Error} if the file does not parse
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const mutants: Mutant[] = [];
  const types: Span[] = [];
  const textOf = ({ start, end }: Span) => source.slice(start, end);
  const add = (span: Span, text: string, what: string) =>
    mutants.push({ ...span, text, what, line: source.slice(0, span.start).split("\n").length });
  const isType = ({ start, end }: Span) => void types.push({ start, end });

  new Visitor({
    TSTypeAnnotation: isType,
    TSTypeAliasDeclaration: isType,
    TSInterfaceDeclaration: isType,
    TSTypeParameterInstantiation: isType,
    TSAsExpression: (node) => isType(node.typeAnnotation),
    TSSatisfiesExpression: (node) => isType(node.typeAnnotation),
    IfStatement: (node) => {
      add(node.test, `!(${textOf(node.test)})`, `if (${textOf(node.test)}) negated`);
      if (!node.alternate) add(node, "{}", `without: ${firstLine(textOf(node))}`);
    },
    ConditionalExpression: (node) => add(node.test, `!(${textOf(node.test)})`, `${textOf(node.test)} ? negated`),
    BinaryExpression: (node) => {
      const between = { start: node.left.end, end: node.right.start };
      const other = BOUNDARIES[node.operator] ?? EQUALITIES[node.operator];
      if (other) add(between, ` ${other} `, `${textOf(node)} with ${other}`);
      if (!EQUALITIES[node.operator] || node.right.type === "Literal" || node.left.type === "UnaryExpression") return;
      const operator = node.operator === "===" ? "!==" : "===";
      add(node, `${textOf(node.left)} ${operator} undefined`, `${textOf(node)} compared with undefined`);
    },
    LogicalExpression: (node) => {
      const other = LOGICAL[node.operator];
      if (other)
        add(node, `((${textOf(node.left)}) ${other} (${textOf(node.right)}))`, `${textOf(node)} with ${other}`);
    },
    Literal: (node) => {
      if (typeof node.value === "number" && node.value > 1) add(node, String(node.value * 2), `${node.value} doubled`);
      if (typeof node.value === "boolean") add(node, String(!node.value), `${!node.value} for ${node.value}`);
    },
    MemberExpression: (node) => {
      if (textOf(node.object) === "limits") add(node, `(${textOf(node)} + 1)`, `${textOf(node)} plus one`);
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || !CONDITIONS.test(textOf(callee.property))) return;
      const dropped = { start: callee.object.end, end: node.end };
      add(dropped, "", `without ${firstLine(textOf(dropped).trim())}`);
    },
    ExpressionStatement: (node) => {
      const { expression } = node;
      const call = expression.type === "AwaitExpression" ? expression.argument : expression;
      if (call.type === "CallExpression" || call.type === "AssignmentExpression")
        add(node, ";", `without: ${firstLine(textOf(node))}`);
    },
    TaggedTemplateExpression: (node) => {
      for (const quasi of node.quasi.quasis) {
        const text = textOf(quasi);
        for (const { index } of text.matchAll(/\bWHERE\b/g)) {
          const start = quasi.start + index;
          add({ start, end: start + "WHERE".length }, "WHERE true OR", "a WHERE without effect");
        }
        for (const { index, 0: count } of text.matchAll(/count\(\*\)/g)) {
          const start = quasi.start + index;
          add({ start, end: start + count.length }, "0 * count(*)", "a count that is zero");
        }
      }
    },
  }).visit(program);

  const isInType = (at: Span) => types.some(({ start, end }) => start <= at.start && at.end <= end);
  return mutants.filter((mutant) => !isInType(mutant)).sort((a, b) => a.start - b.start);
}

/** Applies a mutant to the source. */
export const withMutant = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);

function firstLine(text: string): string {
  const [line = "", ...more] = text.split("\n");
  return more.length > 0 ? `${line.trimEnd()} ...` : line;
}
