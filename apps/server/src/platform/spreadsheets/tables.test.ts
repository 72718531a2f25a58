import { TestClock } from "@terrarium/clock";
import { utils } from "@e965/xlsx";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Tables } from "./tables.ts";
import { aWorkbook, anXlsx, aZip, sheetXml } from "./testing/files.ts";

type Kind = "csv" | "xls" | "xlsx";
const wanted = { columns: { email: ["email", "mail"], group: ["group"] }, maxRows: 10, maxTextLength: 50 };

async function aFile(content: Uint8Array | string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-table-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "file");
  await writeFile(path, content);
  return path;
}

const read = async (kind: Kind, content: Uint8Array | string) =>
  new Tables({ clock: new TestClock() }).read("us", { kind, path: await aFile(content) }, wanted);

/** The rows that were read: `line email group`. */
const rowsIn = async (kind: Kind, content: Uint8Array | string) =>
  (await read(kind, content)).rows.map(({ line, email, group }) => [line, email, group]);

/** What is wrong with a file. */
const problemIn = (kind: Kind, content: Uint8Array | string) =>
  read(kind, content).then(
    () => undefined,
    ({ reason, column }: { reason?: string; column?: string }) => (column ? `${reason} ${column}` : reason),
  );

const head = ["E-Mail", "Group"];
const ada = ["ada@demo.test", "Android"];
const people = [head, ada];
const expected = [[2, ...ada]];

describe("a CSV file", () => {
  const text = "E-Mail,Group\r\nada@demo.test,Zoë\r\n";
  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with its mark", Buffer.from(`\uFEFF${text}`)],
    ["UTF-16", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["UTF-16 without a mark", Buffer.from(text, "utf16le")],
    ["UTF-16, the other way round", Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
    ["Western European", Buffer.from(text, "latin1")],
    ["semicolons", text.replaceAll(",", ";")],
    ["tabs", text.replaceAll(",", "\t")],
    ["old line ends", text.replaceAll("\r\n", "\r")],
    ["no last line end", text.trimEnd()],
    ["quotes", `"E-Mail","Group"\n"ada@demo.test","Zoë"`],
    ["a comma in quotes", `"Name, first";E-Mail;Group\nAda;ada@demo.test;Zoë`],
    ["spaces around", " e-mail , GROUP \n ada@demo.test , Zoë "],
  ])("is read with %s", async (_, content) => {
    expect(await rowsIn("csv", content)).toEqual([[2, "ada@demo.test", "Zoë"]]);
  });

  it("has lines that are blank, short, long or broken in two", async () => {
    const content = 'group,email\n\n,\nAndroid,ada@demo.test,more\niOS\n"a\nb",ben@demo.test\n';
    expect(await rowsIn("csv", content)).toEqual([
      [4, "ada@demo.test", "Android"],
      [5, "", "iOS"],
      [6, "ben@demo.test", "a\nb"],
    ]);
  });

  it("has lines that end in different ways", async () => {
    const content = 'email,group\r\nada@demo.test,a\nben@demo.test,"b\r\nb"\rcleo@demo.test,c';
    expect(await rowsIn("csv", content)).toEqual([
      [2, "ada@demo.test", "a"],
      [3, "ben@demo.test", "b\r\nb"],
      [4, "cleo@demo.test", "c"],
    ]);
  });

  it("is data, whatever it says", async () => {
    const content = "__proto__,email,group,constructor\n1,=1+1,toString,2\n1,__proto__,@SUM(A1),2";
    expect(await rowsIn("csv", content)).toEqual([
      [2, "=1+1", "toString"],
      [3, "__proto__", "@SUM(A1)"],
    ]);
  });

  it("has long texts cut", async () => {
    const [row] = await rowsIn("csv", `email,group\n${"a".repeat(500_000)},b`);
    expect(row).toEqual([2, "a".repeat(50), "b"]);
  });

  it.each([
    ["nothing", "", "empty"],
    ["blank lines", "\n\n \n", "empty"],
    ["only a header", "email,group\n", "empty"],
    ["no group", "email,team\na,b", "missingColumn group"],
    ["no email", "name,group\na,b", "missingColumn email"],
    ["the group twice", "email,group,Group\na,b,c", "columnTwice group"],
    ["an email beside a mail", "email,mail,group\na,b,c", "columnTwice email"],
    ["a quote that is not closed", 'email,group\n"a,b\n', "unreadable"],
    ["NULs", "email,group\na\0,b", "unreadable"],
    ["one line without an end", `email,group\n${"a".repeat(2_000_000)}`, "tooLarge"],
    ["an xls file", aWorkbook("xls", { People: people }), "unreadable"],
    ["an xlsx file", aWorkbook("xlsx", { People: people }), "unreadable"],
  ])("is refused with %s", async (_, content, problem) => {
    expect(await problemIn("csv", content)).toBe(problem);
  });
});

describe.each(["xls", "xlsx"] as const)("an %s file", (kind) => {
  it("is read, blank rows left out", async () => {
    const file = aWorkbook(kind, { People: [head, ada, [], ["", " "], ["ben@demo.test", "iOS"]] });
    expect(await rowsIn(kind, file)).toEqual([
      [2, ...ada],
      [5, "ben@demo.test", "iOS"],
    ]);
  });

  it("shows numbers and dates as the sheet does", async () => {
    const sheet = utils.aoa_to_sheet([head, ["a", 2024], ["b", true], ["c", 45_000]]);
    sheet["B4"] = { t: "n", v: 45_000, z: "yyyy-mm" };
    expect(await rowsIn(kind, aWorkbook(kind, { People: sheet }))).toEqual([
      [2, "a", "2024"],
      [3, "b", "TRUE"],
      [4, "c", "2023-03"],
    ]);
  });

  it("has formulas, which count as what they came to", async () => {
    const sheet = utils.aoa_to_sheet(people);
    sheet["A2"] = { t: "s", v: "ada@demo.test", f: 'HYPERLINK("http://evil.example","x")' };
    sheet["B2"] = { t: "e", v: 0x2a };
    expect(await rowsIn(kind, aWorkbook(kind, { People: sheet }))).toEqual([[2, "ada@demo.test", "#N/A"]]);
  });

  it("has more sheets, of which only the first is read", async () => {
    const { sheet, rows } = await read(kind, aWorkbook(kind, { People: people, Notes: [["x"]], More: people }));
    expect([sheet, rows.length]).toEqual([{ name: "People", others: 2 }, 1]);
  });

  it("is refused with more rows, or without any", async () => {
    const many = [head, ...Array.from({ length: 11 }, () => ada)];
    expect(await problemIn(kind, aWorkbook(kind, { People: many }))).toBe("tooManyRows");
    expect((await read(kind, aWorkbook(kind, { People: many.slice(0, -1) }))).rows).toHaveLength(10);
    expect(await problemIn(kind, aWorkbook(kind, { People: [] }))).toBe("empty");
  });

  it("is refused if it is something else", async () => {
    const other = aWorkbook(kind === "xls" ? "xlsx" : "xls", { People: people });
    for (const content of [other, "email,group\na,b", "MZ\u0090\0", "<html><table><tr><td>email</td></tr></table>", ""])
      expect(await problemIn(kind, content)).toBe("unreadable");
  });

  it(
    "is refused if it breaks off, and read or refused with any byte changed, in good time",
    { timeout: 60_000 },
    async () => {
      const file = aWorkbook(kind, { People: people });
      expect(await problemIn(kind, file.subarray(0, file.length / 3))).toBe("unreadable");
      for (let round = 1; round <= 12; round++) {
        const broken = Buffer.from(file);
        for (let at = 8 + round; at < broken.length; at += 97 * round) broken[at] = (broken[at]! * 31 + round) % 256;
        expect([undefined, "unreadable", "empty", "missingColumn email", "missingColumn group"]).toContain(
          await problemIn(kind, broken),
        );
      }
    },
  );
});

describe("an xlsx file that means harm", () => {
  const good = sheetXml(people);

  it("is one that would be read", async () => {
    expect(await rowsIn("xlsx", aZip(anXlsx(good)))).toEqual(expected);
  });

  const zeros = (bytes: number) => Buffer.alloc(bytes, 0x20);
  const part = (more: object, of = good) =>
    aZip(anXlsx(of).map((each, at) => (at === 4 ? { ...each, ...more } : each)));
  const beside = (more: { name: string; content: string | Buffer }) => aZip(anXlsx(good, [more]));
  it.each([
    ["unpacks to more than it may", beside({ name: "xl/sharedStrings.xml", content: zeros(70_000_000) }), "tooLarge"],
    ["says that it unpacks to more", part({ size: 4_000_000_000 }), "tooLarge"],
    ["unpacks to more than it says", part({ size: 100 }), "unreadable"],
    ["unpacks to less than it says", part({ size: 100_000 }), "unreadable"],
    ["has another checksum", part({ crc: 1 }), "unreadable"],
    ["is encrypted", part({ flags: 1 }), "unreadable"],
    ["is packed in a strange way", part({ method: 12 }), "unreadable"],
    ["has a link", part({ attributes: 0xa1ff0000 }), "unreadable"],
    ["has parts on top of each other", part({ offset: 0 }), "unreadable"],
    [
      "has two names for the same bytes",
      aZip(anXlsx(good, [{ name: "xl/again.xml", content: anXlsx(good)[0]!.content, offset: 0 }])),
      "unreadable",
    ],
    ["leads outside", beside({ name: "xl/../../etc/cron.xml", content: "" }), "unreadable"],
    ["has a part twice", aZip(anXlsx(good, [anXlsx(good)[4]!])), "unreadable"],
    ["has 100,000 parts", aZip(anXlsx(good), { count: 60_000 }), "tooLarge"],
    ["has fewer parts than it says", aZip(anXlsx(good), { count: 6 }), "unreadable"],
    ["has macros", beside({ name: "xl/vbaProject.bin", content: "x" }), "unreadable"],
    ["declares entities", aZip(anXlsx(sheetXml(people, '<!DOCTYPE x [<!ENTITY a "b">]>'))), "unreadable"],
    ["is a document of another kind", aZip([{ name: "content.xml", content: good }]), "unreadable"],
  ])("is refused if it %s", async (_, content, problem) => {
    expect(await problemIn("xlsx", content)).toBe(problem);
  });

  it("does not count what nobody reads", async () => {
    expect(await rowsIn("xlsx", beside({ name: "xl/media/photo.png", content: zeros(70_000_000) }))).toEqual(expected);
  });

  it("may claim a sheet without end", async () => {
    const claims = good.replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>');
    expect(await rowsIn("xlsx", aZip(anXlsx(claims)))).toEqual(expected);
  });
});

it("gives up what takes too long", async () => {
  const clock = new TestClock();
  const reading = new Tables({ clock }).read("us", { kind: "csv", path: await aFile("email,group\na,b") }, wanted);
  const [refusal] = await Promise.all([reading.catch((error: unknown) => error), clock.advance(10_000)]);
  expect(refusal).toMatchObject({ reason: "tooLarge" });
});

it("gives up what takes too much memory", async () => {
  const path = await aFile(aWorkbook("xlsx", { People: Array.from({ length: 20_000 }, () => ["a", "b", "c", "d"]) }));
  const reading = new Tables({ clock: new TestClock(), maxMemoryMb: 12 }).read("us", { kind: "xlsx", path }, wanted);
  await expect(reading).rejects.toMatchObject({ reason: "tooLarge" });
});

it("does not wait for the end of a file with too many rows", async () => {
  expect(await problemIn("csv", `email,group\n${"a\n".repeat(4_000_000)}`)).toBe("tooManyRows");
});

describe("writing a table", () => {
  const rows = [
    ["line", "email", "group"],
    [2, "=1+1", 'a,"b"\nc'],
    [3, "@x", "+y"],
  ];
  const write = (kind: Kind) => new Tables({ clock: new TestClock() }).write("us", kind, "Report", rows);

  it("marks what a spreadsheet would take for a formula as text in CSV", async () => {
    expect(Buffer.from(await write("csv")).toString()).toBe(
      `\uFEFFline,email,group\r\n2,'=1+1,"a,""b""\nc"\r\n3,'@x,'+y\r\n`,
    );
  });

  it.each(["xls", "xlsx"] as const)("keeps it as text in %s", async (kind) => {
    expect(await rowsIn(kind, await write(kind))).toEqual([
      [2, "=1+1", 'a,"b"\nc'],
      [3, "@x", "+y"],
    ]);
  });
});
