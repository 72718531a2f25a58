import { posix } from "node:path";
import { isForTests, rules } from "./rules.ts";
import { usesOf, type Use } from "./uses.ts";

/** A workspace: its folder, and what we need of its package.json. */
export interface Workspace {
  folder: string;
  name: string;
  /** Its dependencies of every kind. */
  needs: ReadonlySet<string>;
}

export interface SourceFile {
  path: string;
  source: string;
}

/**
 * Checks every file against the rules.
 * @returns one line for each violation: `file:line imports X: the rule`
 */
export function brokenRules(files: readonly SourceFile[], workspaces: readonly Workspace[]): string[] {
  return files.flatMap(({ path, source }) => {
    const isBarrel = /^apps\/.*\/index\.tsx?$/.test(path) && /^export .* from /m.test(source);
    const barrel = isBarrel ? [`${path}:1 is a barrel file: apps have none, import from the file itself`] : [];
    const broken = usesOf(path, source).flatMap((use) => brokenBy(path, use, workspaces));
    return [...barrel, ...broken];
  });
}

function brokenBy(file: string, use: Use, workspaces: readonly Workspace[]): string[] {
  const used = nameOf(file, use, workspaces);
  const sentences = isForTests(file)
    ? []
    : rules.filter((rule) => rule.binds(file) && rule.forbids(used, file, use.loads)).map((rule) => rule.sentence);
  const undeclared = use.kind === "import" && !isDeclared(file, use.target, workspaces);
  if (undeclared) sentences.push("imported packages must be in the package.json of the workspace");
  return sentences.map(
    (sentence) => `${file}:${use.line} ${use.kind === "import" ? "imports" : "uses"} ${use.target}: ${sentence}`,
  );
}

/** The name by which the rules refer to what is used. */
function nameOf(file: string, use: Use, workspaces: readonly Workspace[]): string {
  if (use.kind === "global") return `global:${use.target}`;
  if (use.target.startsWith(".")) return posix.join(posix.dirname(file), use.target);
  if (use.target.startsWith("node:")) return use.target;
  const workspace = workspaces.find(({ name }) => name === packageOf(use.target));
  return workspace ? `${workspace.folder}${use.target.slice(workspace.name.length)}/` : `npm:${use.target}`;
}

/** Whether an imported package is in the nearest package.json, or for tests in the root's. */
function isDeclared(file: string, target: string, workspaces: readonly Workspace[]): boolean {
  if (/^(\.|node:|virtual:)/.test(target)) return true;
  const owners = workspaces.filter(({ folder }) => folder === "" || file.startsWith(`${folder}/`));
  const own = owners.toSorted((a, b) => b.folder.length - a.folder.length)[0];
  const root = isForTests(file) || !file.includes("/src/") ? owners.find(({ folder }) => folder === "") : undefined;
  const name = packageOf(target);
  return [own, root].some((workspace) => workspace?.name === name || workspace?.needs.has(name));
}

/** `@a/b` for `@a/b/c`, `a` for `a/b`. */
function packageOf(target: string): string {
  return target.split("/", target.startsWith("@") ? 2 : 1).join("/");
}
