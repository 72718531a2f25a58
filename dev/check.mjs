// npm run check: what CI runs, no more and no less.
import { runChecks } from "./commands/checks.mjs";
import { command } from "./commands/command.mjs";

await command(() => runChecks());
