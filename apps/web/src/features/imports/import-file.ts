import { type ErrorCode, importKindOf, type ImportResult, limits } from "@terrarium/contract";
import { saveFile } from "../../components/save-file.ts";

/** Why files cannot be imported, as far as it shows before they are sent. */
export function whyNoImport(files: readonly File[]): ErrorCode | "several" | undefined {
  const [file, ...others] = files;
  if (!file || others.length > 0) return "several";
  if (!importKindOf(file.name)) return "IMPORT_FILE_TYPE";
  if (file.size > limits.importBytes) return "BODY_TOO_LARGE";
  return file.size === 0 ? "IMPORT_FILE_EMPTY" : undefined;
}

/** Saves the report of an import. */
export function saveReport({ name, type, base64 }: ImportResult["report"]): void {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  saveFile(new Blob([bytes], { type }), name);
}

const cell = (text: string) => `"${text.replace(/^(?=[=+\-@])/, "'").replaceAll('"', '""')}"`;

/** Saves a file to begin with, with a line as an example. By its mark Excel sees that it is UTF-8. */
export const saveTemplate = ({ email, group }: { email: string; group: string }): void =>
  saveFile(
    new Blob([`\uFEFFemail,group\r\n${cell(email)},${cell(group)}\r\n`], { type: "text/csv" }),
    "users-to-groups.csv",
  );
