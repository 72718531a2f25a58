import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCommand, UsageError } from "./commands.ts";

/** Runs the tool without a server; its standard input is empty. */
function operator(args: string[], databaseUrl = "") {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    TERRARIUM_DATA_DIR: join(tmpdir(), "terrarium-operator-none"),
  };
  const main = join(import.meta.dirname, "main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { env, encoding: "utf8", input: "" });
  return { status, stdout, stderr };
}

describe("npm run operator", () => {
  it("prints one line per command as help", () => {
    const { status, stdout, stderr } = operator(["--help"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "Usage: npm run operator -- COMMAND",
      expect.stringMatching(/^ {2}demo passwords +new/),
      expect.stringMatching(/^ {2}instances \[--json\] +devices/),
      expect.stringMatching(/^ {2}organizations limit NAME COUNT \[--of .*\] +how many/),
      expect.stringMatching(/^ {2}organizations zone NAME ZONE \[--dedicated\] +where/),
      expect.stringMatching(/^ {2}organizations sign-in NAME DOMAIN ISSUER CLIENT_ID +its own OpenID provider/),
      expect.stringMatching(/^ {2}organizations no-sign-in NAME +takes that provider away/),
      expect.stringMatching(/^ {2}users add EMAIL .* +a person/),
      expect.stringMatching(/^ {2}users disable EMAIL +ends/),
      expect.stringMatching(/^ {2}users enable EMAIL +undoes/),
      expect.stringMatching(/^ {2}users reset EMAIL +a new password/),
      expect.stringMatching(/^ {2}users role EMAIL manager\|user +makes/),
      expect.stringMatching(/^ {2}users sessions EMAIL \[--json\] +a person's/),
      expect.stringMatching(/^ {2}users sign-out EMAIL \[--only sessions\|tokens\] +ends/),
      expect.stringMatching(/^ {2}organizations second-factor NAME required\|optional +whether/),
      expect.stringMatching(/^ {2}organizations any-sign-in NAME +for one/),
      expect.stringMatching(/^ {2}users no-second-factor EMAIL +for somebody/),
      expect.stringMatching(/^ {2}gateways drain ID +takes no new/),
      expect.stringMatching(/^ {2}gateways undrain ID +undoes/),
      expect.stringMatching(/^ {2}gateways \[--json\] +those that are up/),
      expect.stringMatching(/^ {2}operators add EMAIL +an account for the console/),
      expect.stringMatching(/^ {2}operators \[--json\] +who may use the console/),
      expect.stringMatching(/^ {2}images list \[--json\] +official images/),
      expect.stringMatching(/^ {2}images add NAME --runtime .* +one that recipes/),
      expect.stringMatching(/^ {2}images remove NAME\|UUID +an official image/),
      expect.stringMatching(/^ {2}images verify \[--json\] +whether the runtimes/),
      expect.stringMatching(/^ {2}warm list \[--json\] +recipes of which/),
      expect.stringMatching(/^ {2}warm set RECIPE LEAST \[MOST\] \[--zone ZONE\] +keeps/),
      expect.stringMatching(/^ {2}warm remove RECIPE \[--zone ZONE\] +ends/),
      expect.stringMatching(/^ {2}zones list \[--json\] +how many/),
      expect.stringMatching(/^ {2}zones limit ZONE COUNT\|none +how many/),
      expect.stringMatching(/^ {2}scrcpy fetch \[URL\] +gets/),
      expect.stringMatching(/^ {2}found list \[--json\] +what gateways have found/),
      expect.stringMatching(/^ {2}found offer KEY \[--runtime RUNTIME\] +makes/),
      expect.stringMatching(/^ {2}phones nearby \[--json\] +what phones say/),
      expect.stringMatching(/^ {2}phones pair HOST:PORT CODE +a phone/),
      expect.stringMatching(/^ {2}phones connect HOST:PORT +a phone/),
      expect.stringMatching(/^ {2}trials approve ORGANIZATION \[REASON\] +begins/),
      expect.stringMatching(/^ {2}trials reject ORGANIZATION \[REASON\] +refuses/),
      expect.stringMatching(/^ {2}trials list \[--json\] +trials/),
      expect.stringMatching(/^ {2}premium approve ORGANIZATION \[REASON\] +accepts/),
      expect.stringMatching(/^ {2}premium reject ORGANIZATION \[REASON\] +refuses/),
      expect.stringMatching(/^ {2}premium list \[--json\] +offers/),
      expect.stringMatching(/^ {2}audit verify \[POSITION:HASH\] +whether/),
      expect.stringMatching(/^ {2}audit \[COUNT\] \[--email EMAIL\] \[--json\] +who did what/),
      expect.stringMatching(/^ {2}billing run \[--dry-run \[--until DAY\]\] \[--json\] +bills/),
      expect.stringMatching(/^ {2}billing refund INVOICE \[CENTS\] +pays/),
      expect.stringMatching(/^ {2}billing mark-paid INVOICE REASON +an invoice/),
      expect.stringMatching(/^ {2}billing grant ORGANIZATION MINUTES +gives/),
      expect.stringMatching(/^ {2}billing cancel ORGANIZATION +cancels/),
      expect.stringMatching(/^ {2}billing price ORGANIZATION CENTS +another/),
      expect.stringMatching(/^ {2}billing prices \[NAME VALUE\|setting \[--running\]\] \[--json\] +what/),
      expect.stringMatching(/^ {2}organizations tax NAME country\|exempt\|PERCENT +what/),
      expect.stringMatching(/^ {2}organizations license NAME metered\|/),
      expect.stringMatching(/^ {2}clock \+COUNTh\|\+COUNTd +moves/),
      expect.stringMatching(/^ {2}backup FILE +writes everything/),
      expect.stringMatching(/^ {2}restore FILE \[--overwrite-files\] \[--send-mails\] +puts a backup/),
    ]);
  });

  it("reports an unknown command, and prints the help", () => {
    const { status, stdout, stderr } = operator(["instance", "list"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^There is no command "instance list"\.\nUsage: /);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("reports that no server is running", () => {
    const { status, stderr } = operator(["instances"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^No running server was found in .*terrarium-operator-none/);
  });

  it("moves no clock of an installation with a database of its own", () => {
    const { status, stderr } = operator(["clock", "+7d"], "postgres://nobody@127.0.0.1:1/none");
    expect([status, stderr]).toEqual([1, "Only a server with its embedded database has a clock that can be moved.\n"]);
  });

  it("reports in words which value is not valid", () => {
    const args = ["users", "add", "ines@example.com", "--organization", "Northwind"];
    const { status, stderr } = operator(args, "postgres://nobody@127.0.0.1:1/none");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^✖ .+\n +→ at password\n$/);
  });
});

describe("readCommand", () => {
  it.each([[["-h"]], [["users", "add", "--help"]]])("reads %j as help", (args) => {
    expect(readCommand(args)).toBe("help");
  });

  it.each([
    [[], "A command is missing."],
    [["--colour"], "Unknown option '--colour'"],
    [["users"], 'There is no command "users".'],
    [["demo", "passwords", "manager"], "Expected: demo passwords"],
    [["instances", "all"], "Expected: instances [--json]"],
    [["organizations", "limit", "Northwind"], "Expected: organizations limit NAME COUNT"],
    [["organizations", "limit", "Northwind", "many"], "Expected: organizations limit NAME COUNT"],
    [["organizations", "limit", "North", "Wind", "3"], "Expected: organizations limit"],
    [["organizations", "limit", "Northwind", "3", "--of", "people"], "Expected: organizations limit"],
    [
      ["organizations", "sign-in", "Northwind", "northwind.example", "https://id.example"],
      "Expected: organizations sign-in",
    ],
    [["organizations", "no-sign-in"], "Expected: organizations no-sign-in NAME"],
    [["organizations", "no-sign-in", "North", "Wind"], "Expected: organizations no-sign-in NAME"],
    [["trials", "approve"], "Expected: trials approve ORGANIZATION"],
    [["premium", "list", "all"], "Expected: premium list"],
    [["billing", "run", "--until", "2026-03-09"], "Expected: billing run"],
    [["billing", "run", "--dry-run", "--until", "2026-02-30"], "Expected: billing run"],
    [["billing", "price", "Fern", "1000001"], "Expected: billing price"],
    [["billing", "prices", "minute"], "Expected: billing prices"],
    [["billing", "prices", "minute_cents"], "Expected: billing prices"],
    [["billing", "prices", "minute_cents", "1000001"], "Expected: billing prices"],
    [["billing", "prices", "minute_cents", "5", "6"], "Expected: billing prices"],
    [["billing", "prices", "--running"], "Expected: billing prices"],
    [["organizations", "tax", "Fern"], "Expected: organizations tax"],
    [["organizations", "tax", "Fern", "101"], "Expected: organizations tax"],
    [["organizations", "tax", "Fern", "-1"], "Unknown option '-1'"],
    [["organizations", "tax", "Fern", "20", "x"], "Expected: organizations tax"],
    [["organizations", "license", "Fern", "free", "active"], "Expected: organizations license"],
    [["organizations", "license", "Fern", "fixed", "active", "soon"], "Expected: organizations license"],
    [["clock"], "Expected: clock +COUNTh|+COUNTd"],
    [["clock", "7d"], "Expected: clock"],
    [["clock", "+0d"], "Expected: clock"],
    [["clock", "+7w"], "Expected: clock"],
    [["clock", "+3651d"], "Expected: clock"],
    [["clock", "+7d", "+1h"], "Expected: clock"],
    [["backup"], "Expected: backup FILE"],
    [["restore", "a", "b"], "Expected: restore FILE"],
    [["users", "add", "ines@example.com"], "Expected: users add EMAIL --organization NAME"],
    [["users", "add", "ines@example.com", "x", "--organization", "Northwind"], "Expected: users add"],
    [["users", "disable"], "Expected: users disable EMAIL"],
    [["users", "enable", "ines@example.com", "now"], "Expected: users enable EMAIL"],
    [["users", "reset"], "Expected: users reset EMAIL"],
    [["users", "role", "ines@example.com", "owner"], "Expected: users role EMAIL manager|user"],
    [["users", "role", "ines@example.com", "user", "x"], "Expected: users role EMAIL manager|user"],
    [["users", "sessions"], "Expected: users sessions EMAIL"],
    [["users", "sign-out", "ines@example.com", "--only", "both"], "Expected: users sign-out EMAIL"],
    [["audit", "0"], "Expected: audit [COUNT]"],
    [["audit", "all"], "Expected: audit [COUNT]"],
    [["audit", "5", "6"], "Expected: audit [COUNT]"],
    [["audit", "verify", "7"], "Expected: audit verify [POSITION:HASH]"],
    [["audit", "verify", `7:${"a".repeat(64)}`, "x"], "Expected: audit verify [POSITION:HASH]"],
  ])("refuses %j", (args, sentence) => {
    expect(() => readCommand(args)).toThrow(UsageError);
    expect(() => readCommand(args)).toThrow(sentence);
  });

  it.each([
    [["demo", "passwords"]],
    [["instances", "--json"]],
    [["organizations", "limit", "Northwind", "0"]],
    [["organizations", "limit", "Northwind", "5", "--of", "saved-gigabytes"]],
    [["organizations", "sign-in", "Northwind", "northwind.example", "https://id.example", "terrarium"]],
    [["organizations", "no-sign-in", "Northwind"]],
    [["billing", "run", "--dry-run", "--until", "2026-03-09"]],
    [["billing", "price", "Fern", "12"]],
    [["billing", "prices", "--json"]],
    [["billing", "prices", "annual_discount", "100"]],
    [["billing", "prices", "minute_cents", "setting", "--running"]],
    [["organizations", "tax", "Fern", "country"]],
    [["organizations", "tax", "Fern", "exempt"]],
    [["organizations", "tax", "Fern", "25.5"]],
    [["organizations", "license", "Fern", "fixed", "inactive", "2027-03-31"]],
    [["clock", "+7d"]],
    [["clock", "+87600h"]],
    [["backup", "today.tar.gz"]],
    [["restore", "today.tar.gz"]],
    [["restore", "today.tar.gz", "--overwrite-files", "--send-mails"]],
    [["users", "add", "ines@example.com", "--organization", "Northwind", "--manager"]],
    [["users", "disable", "ines@example.com"]],
    [["users", "role", "ines@example.com", "manager"]],
    [["users", "sign-out", "ines@example.com"]],
    [["users", "sign-out", "ines@example.com", "--only", "tokens"]],
    [["audit"]],
    [["audit", "verify"]],
    [["audit", "verify", `7:${"a".repeat(64)}`]],
    [["audit", "200", "--email", "ines@example.com", "--json"]],
  ])("accepts %j", (args) => {
    expect(readCommand(args)).toBeTypeOf("function");
  });
});
