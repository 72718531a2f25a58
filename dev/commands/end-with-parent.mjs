// Imported before a program that `startChild` runs: sends it SIGTERM when the command that started it has ended in any way.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
