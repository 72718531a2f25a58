/**
 * Runs a command to its end and leaves its exit code. What it throws is told to whoever typed it in one sentence, with no stack.
 * @param {() => Promise<number>} work gives the exit code
 */
export async function command(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
