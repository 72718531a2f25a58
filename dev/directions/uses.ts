import { parseSync, Visitor } from "vite";

/** An import, or the use of a global that has a rule. */
export interface Use {
  line: number;
  /** A module's name or path for an import; `process.env`, a timer's name or `SQL` for a global. */
  target: string;
  kind: "import" | "global";
  /** Of an import: when it is executed for `import()`, never for one of nothing but types, at once for all others. */
  loads?: "at-once" | "when-executed" | "never";
}

const TIMERS = new Set(["setTimeout", "setInterval", "setImmediate"]);

/** The methods that begin and end a Kysely query. */
const QUERY_CALLS =
  /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto|execute|executeTakeFirst|executeTakeFirstOrThrow)$/;

/**
 * Lists the imports of a TypeScript file in any form (values, types, `export from`, `import()`, also in types), and its uses of globals
 * that have rules.
 * @throws {Error} if the file does not parse
 */
export function usesOf(file: string, source: string): Use[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const uses: Use[] = [];
  const add = (kind: Use["kind"], target: unknown, at: number, loads: Use["loads"] = "at-once") => {
    // The target of `import(expression)` is unknown.
    if (typeof target === "string") uses.push({ kind, target, line: lineAt(source, at), loads });
  };
  new Visitor({
    ImportDeclaration: (node) => {
      add("import", node.source.value, node.start, typesOnly(node.importKind));
      for (const specifier of node.specifiers) {
        const isEnv =
          specifier.type === "ImportSpecifier" &&
          source.slice(specifier.imported.start, specifier.imported.end) === "env";
        if (isEnv && /^(node:)?process$/.test(node.source.value)) add("global", "process.env", node.start);
      }
    },
    ExportNamedDeclaration: (node) => add("import", node.source?.value, node.start, typesOnly(node.exportKind)),
    ExportAllDeclaration: (node) => add("import", node.source.value, node.start, typesOnly(node.exportKind)),
    ImportExpression: (node) =>
      add("import", node.source.type === "Literal" && node.source.value, node.start, "when-executed"),
    TSImportType: (node) => add("import", node.source.value, node.start, "never"),
    MemberExpression: (node) => {
      if (source.slice(node.start, node.end) === "process.env") add("global", "process.env", node.start);
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type === "Identifier" && TIMERS.has(callee.name)) add("global", callee.name, node.start);
      if (callee.type !== "MemberExpression") return;
      const method = source.slice(callee.property.start, callee.property.end);
      if (QUERY_CALLS.test(method)) add("global", "SQL", callee.property.start);
    },
    TaggedTemplateExpression: (node) => {
      if (/^sql\b/.test(source.slice(node.tag.start, node.tag.end))) add("global", "SQL", node.start);
    },
  }).visit(program);
  return uses;
}

const typesOnly = (kind: string | null | undefined) => (kind === "type" ? "never" : "at-once");

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
