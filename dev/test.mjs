// npm test: all checks and tests; npm test -- WORD: the tests with the word in their path. Plain JavaScript, as it runs before anything is
// installed.
import { runChecks } from "./commands/checks.mjs";
import { command } from "./commands/command.mjs";

await command(() => runChecks(process.argv[2]));
