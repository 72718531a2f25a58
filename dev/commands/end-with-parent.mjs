// Loaded before a program that `keep` runs: when the command that started it is gone, however it ended, the program is told to stop.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
