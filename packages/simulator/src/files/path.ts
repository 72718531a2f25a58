/** A path made absolute against the working directory. */
export const absolute = (cwd: string, path: string): string => (path.startsWith("/") ? path : `${cwd}/${path}`);

/** The last name of a path, ignoring trailing slashes. */
export function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" ? (path === "" ? "" : "/") : trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

export function directoryName(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  if (slash < 0) return trimmed === "" && path !== "" ? "/" : ".";
  return trimmed.slice(0, slash).replace(/\/+$/, "") || "/";
}

export const joinPath = (folder: string, name: string): string =>
  folder.endsWith("/") ? folder + name : `${folder}/${name}`;
