import { aWorkbook } from "../apps/server/src/platform/spreadsheets/testing/files.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import type { ImportEvent } from "@terrarium/contract";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { print, spread } from "./support/figures.ts";

/**
 * Imports of 5,000 people into 500 groups: as long as a manager waits, from the first byte that is sent to the last of the reply, and how
 * often they hear how far it is. Then how long other requests take meanwhile.
 */

const LINES = 5_000;
const GROUPS = 500;

const server = await TestServer.start();
const sql = new Client(await readFile(join(server.dataDir, "database-url"), "utf8"));
await sql.connect();
try {
  const { client } = await server.signIn(demo.manager);
  const own = await sql.query<{ uuid: string }>("SELECT organization_uuid AS uuid FROM users WHERE email = $1", [
    demo.manager.email,
  ]);
  const uuid = own.rows[0]?.uuid ?? "";
  await sql.query(
    `INSERT INTO users (uuid, email, first_name, last_name, organization_uuid, is_validated, created_at)
      SELECT gen_random_uuid(), 'person' || n || '@many.test', 'Person', 'Number ' || n, $1, true, now()
      FROM generate_series(1, ${LINES}) AS n`,
    [uuid],
  );
  await sql.query("VACUUM ANALYZE");
  const rows = [
    ["email", "group", "name", "note"],
    ...Array.from({ length: LINES }, (_, n) => [`person${n + 1}@many.test`, `Group ${n % GROUPS}`, `Person ${n}`, "–"]),
  ];
  const files = {
    csv: Buffer.from(rows.map((row) => row.join(",")).join("\r\n")),
    xls: aWorkbook("xls", { People: rows }),
    xlsx: aWorkbook("xlsx", { People: rows }),
  };

  const send = async (kind: keyof typeof files, dry_run: boolean) => {
    const began = performance.now();
    const heard: number[] = [];
    const file = new File([new Uint8Array(files[kind])], `people.${kind}`);
    const reply = await client.imports.addUsersToGroups({
      params: { uuid },
      query: { dry_run, create_groups: true, report: "lines" },
      body: { fields: {}, files: { file: [file] } },
    });
    let text = "";
    for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) {
      heard.push(performance.now() - began);
      text += part;
    }
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ImportEvent);
    const last = events.at(-1);
    if (!last || !("result" in last) || last.result.failed > 0)
      throw new Error(`The import failed: ${text.slice(-500)}`);
    const { added, unchanged } = last.result;
    const after = `first word after ${(heard[0] ?? 0).toFixed(0)} ms, ${events.length} in all`;
    return `${((performance.now() - began) / 1000).toFixed(2)} s: ${added} added, ${unchanged} unchanged; ${after}`;
  };

  console.log(`Imports of ${LINES} people into ${GROUPS} groups`);
  for (const kind of ["csv", "xls", "xlsx"] as const) {
    const size = `${kind}, ${(files[kind].length / 1000).toFixed(0)} kB`;
    const others: number[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const began = performance.now();
        await client.settings.get();
        others.push(performance.now() - began);
      }
    })();
    asking.catch(() => undefined);
    await sql.query("DELETE FROM group_users USING users WHERE uuid = user_uuid AND email LIKE '%@many.test'");
    print(`${size}: trial`, await send(kind, true));
    print(`${size}: import`, await send(kind, false));
    print(`${size}: again`, await send(kind, false));
    isOver = true;
    await asking;
    print("other requests meanwhile", `${spread(others, 1)} ms`);
  }
} finally {
  await sql.end();
  await server.stop();
}
