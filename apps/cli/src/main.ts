#!/usr/bin/env node
import { systemClock } from "@terrarium/clock";
import { homedir } from "node:os";
import { join } from "node:path";
import { exitCodes } from "./failures.ts";
import { runProgram } from "./program.ts";

const over = new AbortController();
// Whoever asks twice does not want to wait for anything to be tidied up.
const end = () => (over.signal.aborted ? process.exit(exitCodes.INTERRUPTED) : over.abort());
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, end);
const { stdin, stdout, stderr, env } = process;
// Whoever reads has enough, as `head` does: what was started is still to be stopped.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  over.abort();
});
const folder = env.TERRARIUM_CONFIG_HOME ?? join(env.XDG_CONFIG_HOME ?? join(homedir(), ".config"), "terrarium");
const terminal = { stdin, stdout, stderr, env, folder, clock: systemClock, fetch, signal: over.signal };

process.exitCode = await runProgram(process.argv.slice(2), terminal);
