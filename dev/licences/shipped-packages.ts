/** What we read of package-lock.json: its entries by path, such as `node_modules/a/node_modules/b`. */
export interface LockFile {
  packages: Record<string, LockEntry>;
}

interface LockEntry {
  version?: string;
  license?: string;
  /** Set for a workspace: its folder. */
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface ShippedPackage {
  name: string;
  version: string;
  /** As the package says it; nothing when it does not. */
  licence: string | undefined;
}

/**
 * Lists the packages from outside that workspaces need when they run, through all the packages those need, each version once, by
 * name. Those for other kinds of machine are among them: the lock file knows them wherever it is read.
 */
export function packagesShippedWith({ packages }: LockFile, workspaces: readonly string[]): ShippedPackage[] {
  const seen = new Set<string>();
  const shipped = new Map<string, ShippedPackage>();
  const visit = (path: string) => {
    const entry = packages[path];
    if (!entry || seen.has(path)) return;
    seen.add(path);
    if (entry.link && entry.resolved) return visit(entry.resolved);
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name && entry.version)
      shipped.set(`${name} ${entry.version}`, { name, version: entry.version, licence: entry.license });
    const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const need of Object.keys(needed)) visit(pathOf(need, path, packages));
  };
  for (const workspace of workspaces) visit(workspace);
  return [...shipped.keys()].toSorted().flatMap((key) => shipped.get(key) ?? []);
}

/** Where Node finds a package that the one at `from` imports: the nearest node_modules upwards. */
function pathOf(name: string, from: string, packages: LockFile["packages"]): string {
  for (let folder = from; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = `${folder}/node_modules/${name}`;
    if (path in packages) return path;
  }
  return `node_modules/${name}`;
}
