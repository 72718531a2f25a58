// npm test: every check and test; npm test -- WORD: the tests whose path has the word. Plain JavaScript: it runs before anything
// is installed.
import { runChecks } from "./commands/checks.mjs";
import { command } from "./commands/command.mjs";

await command(() => runChecks(process.argv[2]));
