import { globSync } from "node:fs";

/** What the files of all features export whose name matches a pattern, by path, and by `order` if paths are not all. */
export function featureModules<Module>(
  pattern: string,
  order: (one: string, other: string) => number = () => 0,
): Promise<Module[]> {
  const files = globSync(`../features/*/${pattern}`, { cwd: import.meta.dirname }).toSorted();
  return Promise.all(
    files.toSorted(order).map((file) => import(new URL(file, import.meta.url).href) as Promise<Module>),
  );
}
