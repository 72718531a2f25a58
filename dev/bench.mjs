// npm run bench: all benchmarks, one after the other; npm run bench -- WORD: those with the word in their name, given what follows it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";
import { root } from "./commands/root.mjs";
import { say } from "./commands/say.mjs";
import { buildWeb } from "./commands/web-build.mjs";

await command(async () => {
  await installPackages();
  const node = findNode24();
  await buildWeb(node);
  const word = process.argv[2] ?? "";
  const files = readdirSync(join(root, "bench")).filter((name) => name.endsWith(".bench.ts") && name.includes(word));
  if (files.length === 0) throw new Error(`No bench/*.bench.ts has "${word}" in its name.`);
  let worst = 0;
  for (const file of files.toSorted()) {
    say("bench", file);
    worst = Math.max(worst, await run(node, [`bench/${file}`, ...process.argv.slice(3)]));
  }
  return worst;
});
