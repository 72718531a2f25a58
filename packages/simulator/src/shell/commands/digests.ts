import { createHash } from "node:crypto";
import {
  type Commands,
  type Command,
  forEachPath,
  options,
  readAll,
  readFile,
  readInput,
  UsageError,
} from "../invocation.ts";

const PIECE = 16 * 1024;

const digest =
  (algorithm: string): Command =>
  async (call) => {
    const { flags, rest } = options(call, "bs");
    const one = async (source: AsyncIterable<Uint8Array>, shown: string) => {
      const hash = createHash(algorithm);
      for await (const chunk of source) hash.update(chunk);
      await call.stdout.write(flags.has("b") ? `${hash.digest("hex")}\n` : `${hash.digest("hex")}  ${shown}\n`);
    };
    if (rest.length === 0) {
      await one(readInput(call), "-");
      return 0;
    }
    return forEachPath(call, rest, (_path, shown) =>
      one(shown === "-" ? readInput(call) : readFile(call, shown), shown),
    );
  };

export const digests: Commands = {
  md5sum: digest("md5"),
  sha1sum: digest("sha1"),
  sha224sum: digest("sha224"),
  sha256sum: digest("sha256"),
  sha512sum: digest("sha512"),

  base64: async (call) => {
    const { flags, values, rest } = options(call, "diw:");
    const { bytes, code } = await readAll(call, rest);
    const width = Number(values.get("w") ?? 76);
    if (flags.has("d")) {
      let held = "";
      for (let at = 0; at < bytes.length; at += PIECE) {
        held += Buffer.from(bytes.subarray(at, at + PIECE))
          .toString("latin1")
          .replaceAll(/\s/g, "");
        const whole = held.length - (held.length % 4);
        await call.stdout.write(Buffer.from(held.slice(0, whole), "base64"));
        held = held.slice(whole);
      }
      await call.stdout.write(Buffer.from(held, "base64"));
      return code;
    }
    // A whole number of groups of three bytes, and of lines.
    const step = 3 * Math.max(1, width) * Math.ceil(PIECE / Math.max(1, width));
    for (let at = 0; at < bytes.length; at += step) {
      const encoded = Buffer.from(bytes.subarray(at, at + step)).toString("base64");
      await call.stdout.write(width > 0 ? encoded.replaceAll(new RegExp(`.{1,${width}}`, "g"), "$&\n") : encoded);
    }
    if (width === 0 && bytes.length > 0) await call.stdout.write("\n");
    return code;
  },

  cmp: async (call) => {
    const { flags, rest } = options(call, "ls");
    const [left, right] = rest;
    if (left === undefined || right === undefined) throw new UsageError("Needs 2 arguments", 2);
    const [a, b] = [await readAll(call, [left]), await readAll(call, [right])];
    if (a.code + b.code > 0) return 2;
    if (Buffer.compare(a.bytes, b.bytes) === 0) return 0;
    let at = 0;
    while (a.bytes[at] === b.bytes[at]) at++;
    if (!flags.has("s")) await call.stdout.write(`${left} ${right} differ: char ${at + 1}\n`);
    return 1;
  },
};
