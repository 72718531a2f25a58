// npm run mutate -- FOLDER ...: mutation testing of folders or files: makes one small change after the other to their code, and reports
// which ones their tests detect. No file is written.
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";

await command(async () => {
  await installPackages();
  return run(findNode24(), ["dev/mutate/run.ts", ...process.argv.slice(2)]);
});
