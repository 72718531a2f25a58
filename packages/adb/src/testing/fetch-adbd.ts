import { join } from "node:path";
import { fetchDebian } from "./fetch-debian.ts";

/** The genuine Android adb daemon, as Debian builds it for Linux. */
export interface Adbd {
  program: string;
  /** For LD_LIBRARY_PATH. */
  libraries: string;
}

const PROGRAM = "usr/lib/android-sdk/platform-tools/adbd";
/** The daemon and those of its libraries that a plain Debian 12 does not have. */
const PACKAGES = [
  "adbd",
  "android-libbase",
  "android-libboringssl",
  "android-libcutils",
  "android-liblog",
  "libprotobuf32",
];

/** Gets adbd 34 from Debian 12's backports. Answers why not when it cannot be had. */
export async function fetchAdbd(): Promise<Adbd | { missing: string }> {
  const files = { name: "adbd", file: PROGRAM, release: "bookworm-backports", choose: async () => PACKAGES } as const;
  const root = await fetchDebian(files);
  if (typeof root !== "string") return root;
  const library = join(root, "usr/lib/x86_64-linux-gnu");
  return { program: join(root, PROGRAM), libraries: `${join(library, "android")}:${library}` };
}
