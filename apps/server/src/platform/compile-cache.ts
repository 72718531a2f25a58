import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** Where Node caches what it has compiled, in a folder of its version; undefined if it does not. */
const folder = getCompileCacheDir();

/** The environment of a thread that gets no other: it starts from what was compiled before. */
export const compileCache = folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
