import { cpuCounts, formFactors, hardwareLimits, ramSizes } from "@terrarium/contract";
import { type Command, Option } from "commander";
import type { Cli } from "../cli.ts";
import { integer, oneOf } from "../given.ts";
import { hardwareProfileNoun } from "../nouns.ts";
import { addVerbs } from "./verbs.ts";

interface CreateOptions {
  width: number;
  height: number;
  density: number;
  navigationBar: boolean;
  formFactor: (typeof formFactors)[number];
  cpu: (typeof cpuCounts)[number];
  ram: (typeof ramSizes)[number];
  disk: number;
}

const { side, density, disk } = hardwareLimits;
const sideOf = integer(side.min, side.max);

export function addHardwareProfiles(program: Command, cli: Cli): void {
  const group = program.command("hwprofiles").description("hardware profiles: screen, memory and identity of devices");

  addVerbs(group, cli, hardwareProfileNoun, {
    list: (client, page) => client.hardwareProfiles.list({ query: page }),
    get: (client, uuid) => client.hardwareProfiles.get({ params: { uuid } }),
    delete: (client, uuid) => client.hardwareProfiles.delete({ params: { uuid } }),
  });

  group
    .command("create <name>")
    .description("a hardware profile of yours")
    .requiredOption("--width <pixels>", "of the screen", sideOf)
    .requiredOption("--height <pixels>", "of the screen", sideOf)
    .requiredOption("--density <dpi>", "of the screen", integer(density.min, density.max))
    .option("--no-navigation-bar", "the device has keys in place of the bar")
    .addOption(new Option("--form-factor <form>").choices(formFactors).default("PHONE"))
    .option("--cpu <count>", "processors", oneOf(cpuCounts), 4)
    .option("--ram <mb>", "memory", oneOf(ramSizes), 4096)
    .option("--disk <mb>", "for data", integer(disk.min, disk.max), 16_384)
    .action(async (name: string, options: CreateOptions) => {
      const { client } = await cli.connect();
      const { width, height, density, navigationBar, formFactor, cpu, ram } = options;
      const body = {
        name,
        form_factor: formFactor,
        display_settings: { displays: [{ width, height, density }], hw_navigation_keys: !navigationBar },
        cpu_count: cpu,
        ram_size: ram,
        data_disk_size: options.disk,
      };
      cli.print.one(hardwareProfileNoun, await client.hardwareProfiles.create({ body }));
    });
}
