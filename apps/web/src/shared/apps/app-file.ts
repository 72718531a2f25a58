/** How an APK begins: it is a ZIP file. */
const MAGIC = "PK\u0003\u0004";
/** ZIP files as well, with several APKs inside. */
const BUNDLES = /\.(apks|apkm|xapk|aab|zip)$/i;

/** Why files cannot be installed, as far as it shows before they are sent; undefined for one that may be an APK. */
export async function whyNoApp(
  files: readonly File[],
): Promise<"several" | "empty" | "bundle" | "notAnApk" | undefined> {
  const [file, ...others] = files;
  if (!file || others.length > 0) return "several";
  if (file.size === 0) return "empty";
  // A folder, or a file that is gone, cannot be read.
  const head = await file
    .slice(0, MAGIC.length)
    .text()
    .catch(() => "");
  if (head !== MAGIC) return "notAnApk";
  return BUNDLES.test(file.name) ? "bundle" : undefined;
}

/** Whether these files are one app, or what looks like one. */
export const isOneApp = ([file, ...others]: readonly File[]): boolean =>
  file !== undefined && others.length === 0 && /\.(apk|apks|apkm|xapk|aab)$/i.test(file.name);

/** Asks for a file with the browser's own dialog. */
export function pickApp(onFiles: (files: File[]) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".apk,application/vnd.android.package-archive";
  input.addEventListener("change", () => onFiles(Array.from(input.files ?? [])));
  input.click();
}
