import { read, utils } from "@e965/xlsx";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { type Cell, writeXlsx } from "./write-xlsx.ts";

const columns = [
  { title: "Name", width: 20 },
  { title: "When", width: 20 },
  { title: "Minutes", width: 10 },
];
const written = async (...parts: Cell[][][]) =>
  buffer(
    writeXlsx(
      "Usage",
      columns,
      (async function* () {
        yield* parts;
      })(),
    ),
  );
/** The rows of a file as a spreadsheet reads them. */
const readBack = async (...parts: Cell[][][]) => {
  const book = read(await written(...parts), { UTC: true, cellDates: true, cellFormula: true });
  expect(book.SheetNames).toEqual(["Usage"]);
  return utils.sheet_to_json<unknown[]>(book.Sheets["Usage"]!, { header: 1, UTC: true });
};

describe("a spreadsheet", () => {
  it("is read by a library that others have made", async () => {
    const rows = await readBack([["Phone", { time: "2026-03-05 14:07:09" }, 12.25]], [["Tablet", null, 0]]);
    expect(rows).toEqual([
      ["Name", "When", "Minutes"],
      ["Phone", new Date("2026-03-05T14:07:09Z"), 12.25],
      ["Tablet", undefined, 0],
    ]);
  });

  it("has text as it is, in every script, and never a formula", async () => {
    const texts = [
      "=1+1",
      '=HYPERLINK("http://evil.example","x")',
      "+1",
      "@x",
      "<a> & \"b\" 'c'",
      " spaces ",
      "two\nlines",
      "シダ 🌿",
      "_x0041_",
    ];
    const sheet = read(await written(texts.map((text) => [text])), { cellFormula: true }).Sheets["Usage"]!;
    for (let row = 0; row < texts.length; row++) expect(sheet[`A${row + 2}`]).toMatchObject({ t: "s" });
    expect(JSON.stringify(sheet)).not.toContain('"f":');
    expect((await readBack(texts.map((text) => [text]))).slice(1).flat()).toEqual(texts);
  });

  it("can be read with what XML cannot say in it", async () => {
    const rows = await readBack([["a\0b\x1fc\ud800d\uffff"], ["x".repeat(100_000)]]);
    expect(rows[1]).toEqual(["a\ufffdb\ufffdc\ufffdd\ufffd"]);
    expect(String(rows[2]?.[0]).length).toBeLessThan(32_767);
  });

  it("has only a head if there are no rows", async () => {
    expect(await readBack()).toEqual([["Name", "When", "Minutes"]]);
  });

  it("is the same in any parts, and large", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index): Cell[] => [`device ${index}`, null, index]);
    const whole = await readBack(rows);
    expect(whole).toHaveLength(20_001);
    expect(await readBack(...rows.map((row) => [row]))).toEqual(whole);
  });

  it("is written no faster than it is read, and ends when nobody reads on", async () => {
    let made = 0;
    let isOver = false;
    async function* endless() {
      try {
        for (;;) yield [[`device ${(made += 1)} ${Math.random()}`, null, made]];
      } finally {
        isOver = true;
      }
    }
    let bytes = 0;
    for await (const part of writeXlsx("Usage", columns, endless())) {
      bytes += part.length;
      if (bytes > 100_000) break;
    }
    expect(made).toBeLessThan(30_000);
    await expect.poll(() => isOver).toBe(true);
  });

  it("fails if its source does", async () => {
    async function* failing(): AsyncGenerator<Cell[][]> {
      yield [["Phone"]];
      throw new Error("the database is gone");
    }
    await expect(buffer(writeXlsx("Usage", columns, failing()))).rejects.toThrow("the database is gone");
  });
});
