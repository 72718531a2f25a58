#!/usr/bin/env node
import { systemClock } from "@terrarium/clock";
import { homedir } from "node:os";
import { join } from "node:path";
import { exitCodes, Failure } from "./failures.ts";
import { runProgram } from "./program.ts";

const over = new AbortController();
// Whoever asks twice does not want to wait for anything to be tidied up.
const end = () => (over.signal.aborted ? process.exit(exitCodes.INTERRUPTED) : over.abort());
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, end);
const { stdin, stdout, stderr, env } = process;
// Whoever reads has enough, as `head` does, or the disk is full: what was started is still to be stopped.
stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== "EPIPE") {
    process.exitCode = exitCodes.DEFAULT_ERROR;
    stderr.write(`Error: What is printed cannot be written. (${message})\n`);
  }
  over.abort(new Failure("INTERRUPTED", ""));
});
// What nobody reads there is no reason to stop.
stderr.on("error", () => undefined);
const folder = env.TERRARIUM_CONFIG_HOME ?? join(env.XDG_CONFIG_HOME ?? join(homedir(), ".config"), "terrarium");
const terminal = { stdin, stdout, stderr, env, folder, clock: systemClock, fetch, signal: over.signal };

const exitCode = await runProgram(process.argv.slice(2), terminal);
process.exitCode ||= exitCode;
