/**
 * Runs a command and sets the exit code of this process. An error is printed without its stack.
 * @param {() => Promise<number>} work resolves to the exit code
 */
export async function command(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
