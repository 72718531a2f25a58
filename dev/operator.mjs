// npm run operator -- COMMAND. Programs read what it prints, so nothing is added to that. Plain JavaScript, as it may be the first command of a
// fresh clone, with a Node that runs no TypeScript.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { root } from "./commands/root.mjs";

await command(async () => {
  if (!existsSync(join(root, "node_modules"))) throw new Error("Nothing is installed yet: npm start does that.");
  return run(findNode24(), ["apps/server/src/operator/main.ts", ...process.argv.slice(2)]);
});
