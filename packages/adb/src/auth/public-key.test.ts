import { createPublicKey, generateKeyPairSync } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goldenKey } from "../testing/golden-key.ts";
import { AdbKey } from "./adb-key.ts";
import { formatPublicKey, parsePublicKey } from "./public-key.ts";
import { isSignature } from "./signature.ts";

const key = createPublicKey(goldenKey.pem);
const struct = Buffer.from(goldenKey.line.split(" ")[0]!, "base64");

// oxfmt-ignore
const rows: [string, number, number[]][] = [
  ["the modulus' length in words, 64", 0, [0x40, 0x00, 0x00, 0x00]],
  ["-1 / n modulo 2^32", 4, [0xef, 0x4a, 0x42, 0x66]],
  ["the modulus' lowest bytes, ...e653dbf1 from the front", 8, [0xf1, 0xdb, 0x53, 0xe6]],
  ["the modulus' highest bytes, d313eeb0... from the front", 260, [0xb0, 0xee, 0x13, 0xd3]],
  ["the lowest bytes of 2^4096 modulo n", 264, [0x2c, 0xc3, 0x09, 0x1c]],
  ["the highest bytes of 2^4096 modulo n", 516, [0x97, 0x99, 0xe1, 0x73]],
  ["the exponent, 65537", 520, [0x01, 0x00, 0x01, 0x00]],
];

/** The golden line with one byte of its struct changed. */
function spoiled(offset: number, value: number): string {
  const bytes = Buffer.from(struct);
  bytes[offset] = value;
  return `${bytes.toString("base64")} a@b`;
}

describe("Android's form of a public key", () => {
  it("is what adb makes of the same key", () =>
    expect(formatPublicKey({ key, comment: "@unknown" })).toBe(goldenKey.line));
  it("is 524 bytes long", () => expect(struct.length).toBe(524));
  for (const [what, offset, bytes] of rows)
    it(`has ${what} at ${offset}`, () => expect([...struct.subarray(offset, offset + 4)]).toEqual(bytes));

  it("is read back", () => {
    const parsed = parsePublicKey(goldenKey.line);
    expect(parsed?.comment).toBe("@unknown");
    expect(parsed?.key.export({ format: "jwk" })).toEqual(key.export({ format: "jwk" }));
  });

  it("is read with a NUL behind it, as it arrives, and without a comment", () => {
    expect(parsePublicKey(`${goldenKey.line}\0`)?.comment).toBe("@unknown");
    expect(parsePublicKey(struct.toString("base64"))?.comment).toBe("");
    expect(parsePublicKey(`${goldenKey.line}\n`)?.comment).toBe("@unknown");
  });

  it("is made of RSA keys of 2048 bits only", () => {
    const others = [
      generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey,
      generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey,
    ];
    for (const other of others)
      expect(() => formatPublicKey({ key: other, comment: "" })).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT" }),
      );
  });

  it("lets no comment begin a line of its own", () =>
    expect(formatPublicKey({ key, comment: "a\nb\0c" })).toMatch(/ a_b_c$/));

  const noKeys: [string, string][] = [
    ["nothing", ""],
    ["no base64", "$(id) a@b"],
    ["a struct that is too short", `${struct.subarray(0, 523).toString("base64")} a@b`],
    ["a struct that is too long", `${Buffer.concat([struct, Buffer.alloc(1)]).toString("base64")} a@b`],
    ["a length of another key", spoiled(0, 0x20)],
    ["an even modulus", spoiled(8, 0xf0)],
    ["a modulus with less bits", spoiled(263, 0x01)],
    ["an exponent of 1", spoiled(522, 0x00)],
    ["two lines", `${goldenKey.line}\nmore`],
  ];
  for (const [what, line] of noKeys) it(`is not read from ${what}`, () => expect(parsePublicKey(line)).toBeUndefined());

  it("is read from anything without throwing", () => {
    const base64 = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    const anyStruct = fc
      .uint8Array({ minLength: 524, maxLength: 524 })
      .map((bytes) => Buffer.concat([struct.subarray(0, 4), bytes.subarray(4)]).toString("base64"));
    fc.assert(
      fc.property(fc.oneof(fc.string(), base64, anyStruct), (line) => {
        parsePublicKey(line);
      }),
    );
  });
});

describe("a token's signature", () => {
  const { token, signature } = goldenKey;

  it("is what OpenSSL makes of a token that it takes for a hash", () =>
    expect(isSignature(key, token, signature)).toBe(true));

  it("is worth nothing for another token or another key, or when it is none", async () => {
    const other = createPublicKey(await AdbKey.generatePem());
    expect(isSignature(key, token.toReversed(), signature)).toBe(false);
    expect(isSignature(other, token, signature)).toBe(false);
    for (const none of [new Uint8Array(0), new Uint8Array(256), signature.subarray(1), new Uint8Array(4096).fill(0xff)])
      expect(isSignature(key, token, none)).toBe(false);
  });

  it("of a key of ours is known by the key's public half", async () => {
    const own = new AdbKey(await AdbKey.generatePem(), "me@here");
    const parsed = parsePublicKey(own.publicKey)!;
    expect(parsed.comment).toBe("me@here");
    expect(isSignature(parsed.key, token, own.sign(token))).toBe(true);
  });
});
