/** Where one begins to look around on a device. */
export const FIRST_FOLDER = "/sdcard";

/** The path of what is in a folder. */
export const pathIn = (folder: string, name: string): string => (folder === "/" ? `/${name}` : `${folder}/${name}`);

/** The folders from the root down to one, itself last. */
export function foldersTo(path: string): { name: string; path: string }[] {
  const names = path.split("/").filter((name) => name !== "");
  return [
    { name: "/", path: "/" },
    ...names.map((name, at) => ({ name, path: `/${names.slice(0, at + 1).join("/")}` })),
  ];
}
