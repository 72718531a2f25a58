#!/usr/bin/env node
import { systemClock } from "@terrarium/clock";
import { homedir } from "node:os";
import { join } from "node:path";
import { runProgram } from "./program.ts";

const over = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => over.abort());
const { stdin, stdout, stderr, env } = process;
const folder = env.TERRARIUM_CONFIG_HOME ?? join(env.XDG_CONFIG_HOME ?? join(homedir(), ".config"), "terrarium");
const terminal = { stdin, stdout, stderr, env, folder, clock: systemClock, fetch, signal: over.signal };

process.exitCode = await runProgram(process.argv.slice(2), terminal);
