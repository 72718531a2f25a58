import { posix } from "node:path";
import { isForTests, rules } from "./rules.ts";
import { usesOf, type Use } from "./uses.ts";

/** A workspace's folder and what its package.json has. */
export interface Workspace {
  folder: string;
  name: string;
  /** The packages it names as needed, of every kind. */
  needs: ReadonlySet<string>;
}

export interface SourceFile {
  path: string;
  source: string;
}

/**
 * Holds every file against the rules.
 * @returns one line for each broken rule: `file:line imports X: rule sentence`
 */
export function brokenRules(files: readonly SourceFile[], workspaces: readonly Workspace[]): string[] {
  return files.flatMap(({ path, source }) => {
    const isBarrel = /^apps\/.*\/index\.tsx?$/.test(path) && /^export .* from /m.test(source);
    const barrel = isBarrel ? [`${path}:1 is a barrel: apps have none, import from the file itself`] : [];
    const broken = usesOf(path, source).flatMap((use) => brokenBy(path, use, workspaces));
    return [...barrel, ...broken];
  });
}

function brokenBy(file: string, use: Use, workspaces: readonly Workspace[]): string[] {
  const used = nameOf(file, use, workspaces);
  const says = isForTests(file)
    ? []
    : rules.filter((rule) => rule.binds(file) && rule.forbids(used, file)).map((rule) => rule.says);
  const undeclared = use.kind === "import" && !isDeclared(file, use.target, workspaces);
  if (undeclared) says.push("a package that is imported is named in the package.json of its workspace");
  return says.map(
    (sentence) => `${file}:${use.line} ${use.kind === "import" ? "imports" : "uses"} ${use.target}: ${sentence}`,
  );
}

/** What is used, named as the rules name it. */
function nameOf(file: string, use: Use, workspaces: readonly Workspace[]): string {
  if (use.kind === "global") return `global:${use.target}`;
  if (use.target.startsWith(".")) return posix.join(posix.dirname(file), use.target);
  if (use.target.startsWith("node:")) return use.target;
  const workspace = workspaces.find(({ name }) => name === packageOf(use.target));
  return workspace ? `${workspace.folder}${use.target.slice(workspace.name.length)}/` : `npm:${use.target}`;
}

/** Whether the package of an import is in the nearest package.json, or for tests in the root's. */
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
