import type { AdbLink, AdbProcess } from "@terrarium/adb";
import type { Command } from "commander";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Cli } from "../cli.ts";
import { Failure } from "../failures.ts";
import { integer } from "../given.ts";
import { installApk } from "../install-apk.ts";
import { type Copied, pullTree, pushTree, statHere, writeWhole } from "../transfer.ts";
import { withAdb } from "../tunnel.ts";

const RECORDING = "/data/local/tmp/terrarium-recording.mp4";

/** What is done on a device that runs. None of it needs an adb on this machine. */
export function addDevice(group: Command, cli: Cli): void {
  const { terminal } = cli;
  const { signal, stdout } = terminal;
  const onDevice = async <Result>(uuid: string, work: (link: AdbLink) => Promise<Result>) => {
    const { client } = await cli.connect();
    return withAdb({ client, uuid, terminal }, work);
  };

  group
    .command("shell <uuid> [command...]")
    .description("run a command on a device, or open a shell")
    .passThroughOptions()
    .action(async (uuid: string, words: string[]) => {
      cli.exitCode = await onDevice(uuid, async (link) =>
        words.length > 0
          ? show(await link.spawn(words.join(" "), { signal }), terminal)
          : converse(await link.spawn("", { signal, pty: true, term: terminal.env.TERM }), terminal),
      );
    });

  group
    .command("logs <uuid> [filters...]")
    .description("the log of a device, as it is written")
    .option("--dump", "what there is, and no more", false)
    .action(async (uuid: string, filters: string[], { dump }: { dump: boolean }) => {
      const command = ["logcat", ...(dump ? ["-d"] : []), ...filters];
      cli.exitCode = await onDevice(uuid, async (link) => show(await link.spawn(command, { signal }), terminal));
    });

  const during = {
    signal,
    onFile: (path: string) => cli.print.progress(path),
    onSkip: (path: string) => cli.print.note(`${path} is left out: it is neither a file nor a folder.`),
  };
  const sayCopied = ({ path, files, folders, bytes }: Copied) => {
    cli.print.progress("");
    if (folders === 0) cli.print.say(`${path}: ${bytes} bytes`, { file: { path, bytes } });
    else
      cli.print.say(`${path}: ${files} files in ${folders} folders, ${bytes} bytes`, {
        folder: { path, files, folders, bytes },
      });
  };

  group
    .command("push <uuid> <source> <path>")
    .description(
      "copy a file or folder of this machine to a path of a device; into a folder that is there, or if it ends with /",
    )
    .action(async (uuid: string, source: string, path: string) => {
      await statHere(source);
      sayCopied(await onDevice(uuid, (link) => pushTree(link, source, path, during)));
    });

  group
    .command("pull <uuid> <path> [target]")
    .description("copy a file or folder of a device to this machine")
    .action(async (uuid: string, path: string, target?: string) =>
      sayCopied(await onDevice(uuid, (link) => pullTree(link, path, target, during))),
    );

  group
    .command("install <uuid> <apk...>")
    .description("install apps on a device, and open the last one")
    .action(async (uuid: string, files: string[]) => {
      const { client } = await cli.connect();
      const apps = [];
      for (const file of files) apps.push({ package_name: await installApk(client, uuid, file, signal) });
      cli.print.say(apps.map(({ package_name }) => package_name ?? "-").join("\n"), { apps });
    });

  group
    .command("screenshot <uuid> [file]")
    .description("what is on the screen of a device, as PNG; to standard output for -")
    .action(async (uuid: string, file = `${uuid}.png`) => {
      await onDevice(uuid, async (link) => {
        const capture = await link.spawn("screencap -p", { signal });
        // Android warns there of further displays.
        const warnings = text(capture.stderr).catch(() => "");
        const picture = async function* () {
          yield* capture.stdout;
          if ((await capture.exit) !== 0)
            throw new Failure("INSTANCE_ERROR", "The device could not take a screenshot.", (await warnings).trim());
        };
        if (file === "-") await pipeline(picture, stdout, { signal, end: false });
        else await writeWhole(file, picture(), signal);
      });
      if (file !== "-") cli.print.say(file, { file: { path: file } });
    });

  group
    .command("record <uuid> [file]")
    .description("record the screen of a device, as MP4")
    .option("--seconds <seconds>", "how long", integer(1, 180), 30)
    .action(async (uuid: string, file = `${uuid}.mp4`, { seconds }: { seconds: number }) => {
      await onDevice(uuid, async (link) => {
        const { exitCode, stderr } = await link.shell(["screenrecord", "--time-limit", String(seconds), RECORDING], {
          signal,
        });
        if (exitCode !== 0) throw new Failure("INSTANCE_ERROR", "The device could not record.", stderr.trim());
        await writeWhole(file, link.pull(RECORDING, signal), signal);
        await link.shell(["rm", "-f", RECORDING]);
      });
      cli.print.say(file, { file: { path: file } });
    });
}

type Streams = Pick<Cli["terminal"], "stdin" | "stdout" | "stderr">;

/** Shows what a command prints until it ends; resolves with its exit code. */
async function show(running: AdbProcess, { stdout, stderr }: Streams): Promise<number> {
  // It may have ended before.
  await running.closeStdin().catch(() => undefined);
  await Promise.all([
    pipeline(running.stdout, stdout, { end: false }),
    pipeline(running.stderr, stderr, { end: false }),
  ]);
  return running.exit;
}

/** A shell for the person at the terminal; resolves with its exit code. */
async function converse(running: AdbProcess, { stdin, stdout, stderr }: Streams): Promise<number> {
  const resize = () => {
    const { columns, rows } = process.stdout;
    if (columns && rows) running.resize({ columns, rows }).catch(() => undefined);
  };
  const type = (keys: Buffer) => void running.write(keys).catch(() => undefined);
  const close = () => void running.closeStdin().catch(() => undefined);
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on("data", type).on("end", close);
  process.stdout.on("resize", resize);
  resize();
  try {
    await Promise.all([
      pipeline(running.stdout, stdout, { end: false }),
      pipeline(running.stderr, stderr, { end: false }),
    ]);
    return await running.exit;
  } finally {
    stdin.off("data", type).off("end", close).pause();
    process.stdout.off("resize", resize);
    if (stdin.isTTY) stdin.setRawMode(false);
  }
}
