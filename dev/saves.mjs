// npm run saves -- KILLS [SEED]: devices are saved while the product's processes are killed in the middle of saves.
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";

await command(async () => {
  await installPackages();
  return run(findNode24(), ["e2e/saves/main.ts", ...process.argv.slice(2)]);
});
