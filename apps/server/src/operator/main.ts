import { systemClock } from "@terrarium/clock";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { addUser } from "../features/users/add-user.ts";
import { listForOperator } from "../features/instances/operator-view.ts";
import { databaseUrlFile } from "../launch.ts";
import { setInstanceLimit } from "../features/organizations/set-instance-limit.ts";
import type { Schema } from "../database/schema.ts";
import { createDatabase } from "../platform/db/database.ts";
import { readSettings } from "../settings.ts";

const usage = `Usage: npm run operator -- COMMAND
  instances [--json]                              devices with their gateway and adb address
  organizations limit NAME COUNT                  how many devices an organisation may run
  users add EMAIL --organization NAME [--manager] a person, with the password given on standard input`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, organization: { type: "string" }, manager: { type: "boolean" } },
});

const settings = readSettings(process.env);
const url = settings.databaseUrl ?? (await readFile(databaseUrlFile(settings.dataDir), "utf8").catch(() => undefined));
if (!url) {
  console.error(
    `No running server was found in ${settings.dataDir}. Start it, or name the database with DATABASE_URL.`,
  );
  process.exit(1);
}
const db = createDatabase<Schema>(url, { max: 1, applicationName: "terrarium-operator" });
try {
  const [noun, verb, subject, count] = positionals;
  if (noun === "instances") {
    const rows = await listForOperator(db);
    if (values.json) console.log(JSON.stringify(rows));
    else console.table(rows);
  } else if (noun === "users" && verb === "add" && subject && values.organization) {
    const password = (await text(process.stdin)).replace(/\n$/, "");
    await addUser(db, systemClock, {
      email: subject,
      password,
      organization: values.organization,
      manager: values.manager ?? false,
    });
    console.log(`${subject} can sign in.`);
  } else if (noun === "organizations" && verb === "limit" && subject && count) {
    await setInstanceLimit(db, subject, Number(count));
    console.log(`${subject} may run ${count} devices.`);
  } else {
    console.error(usage);
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await db.destroy();
}
