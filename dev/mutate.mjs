// npm run mutate -- FOLDER ...: breaks the code of these folders (or files) in one small way after the other, and says which of the breaks
// their tests notice. No file is written.
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";

await command(async () => {
  await installPackages();
  return run(findNode24(), ["dev/mutate/run.ts", ...process.argv.slice(2)]);
});
