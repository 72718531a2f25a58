/** The part of package-lock.json that we need: its entries by path, such as `node_modules/a/node_modules/b`. */
export interface LockFile {
  packages: Record<string, LockEntry>;
}

interface LockEntry {
  version?: string;
  license?: string;
  /** The hashes of what npm downloads: `sha512-` and base64. */
  integrity?: string;
  /** For a workspace, its folder. */
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface ShippedPackage {
  name: string;
  version: string;
  /** As declared in its package.json. */
  licence: string | undefined;
  integrity: string | undefined;
}

/**
 * Lists the third-party runtime dependencies of workspaces, including transitive ones, sorted by name, each version once. Packages for other
 * platforms are included, since the lock file lists them on every platform.
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
    const { version, license: licence, integrity } = entry;
    if (name && version) shipped.set(`${name} ${version}`, { name, version, licence, integrity });
    const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const need of Object.keys(needed)) visit(pathOf(need, path, packages));
  };
  for (const workspace of workspaces) visit(workspace);
  return [...shipped.keys()].toSorted().flatMap((key) => shipped.get(key) ?? []);
}

/** Resolves an import as Node does: from the nearest node_modules upwards of `from`. */
function pathOf(name: string, from: string, packages: LockFile["packages"]): string {
  for (let folder = from; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = `${folder}/node_modules/${name}`;
    if (path in packages) return path;
  }
  return `node_modules/${name}`;
}
