// npm run fleet -- [DEVICES]: three servers, two machines with simulated devices; parts are killed, and every device is accounted for.
import { run } from "./commands/child.mjs";
import { command } from "./commands/command.mjs";
import { findNode24 } from "./commands/node-24.mjs";
import { installPackages } from "./commands/packages.mjs";

await command(async () => {
  await installPackages();
  return run(findNode24(), ["e2e/fleet/main.ts", ...process.argv.slice(2)]);
});
