import { startPostgres } from "./start-postgres.ts";

/** A server process for tests: starts on the given directory, prints its URL or error as a line of JSON, and stops when stdin ends. */
const [dataDir = ""] = process.argv.slice(2);
try {
  const postgres = await startPostgres({ dataDir });
  const { url, adopted } = postgres;
  process.stdout.write(`${JSON.stringify({ url, adopted })}\n`);
  process.stdin.resume().once("end", () => void postgres.stop());
} catch (error) {
  const { name, message } = error as Error;
  process.stdout.write(`${JSON.stringify({ error: `${name}: ${message}` })}\n`);
}
