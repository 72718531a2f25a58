import { officialCatalogue, readCatalogue, rowsOf } from "../features/catalogue/catalogue.ts";
import {
  addOfficialImage,
  listOfficialImages,
  removeOfficialImage,
  verifyOfficialImages,
} from "../features/os-images/official-images.ts";
import { type Command, onDatabase, print } from "./command.ts";

export const imageCommands: readonly Command[] = [
  {
    name: "images list",
    usage: "images list [--json]",
    about: "official images: what their runtime runs, and how long devices take to be ready",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async ({ db }) => {
        const images = await listOfficialImages(db);
        print(
          images.map(({ uuid, name, runtime, artefact, arch, sdk_version, checksum, boot_p50_ms, boot_p95_ms }) => ({
            uuid,
            name,
            runtime,
            artefact,
            arch,
            api: sdk_version,
            checksum,
            boot_p50_ms,
            boot_p95_ms,
          })),
          options,
        );
      });
    },
  },
  {
    name: "images add",
    usage: "images add NAME --runtime --artefact --arch --android --api",
    about:
      "one that recipes can be made of (also --for PHONE,TABLET, --checksum, --zone ZONE,ZONE); added again, it is changed",
    read: ({ words: [name, ...rest], options }) => {
      const {
        runtime,
        artefact,
        arch,
        android: osVersion,
        api = "",
        for: factors = "PHONE,TABLET",
        checksum,
        zone,
      } = options;
      if (!name || rest.length > 0 || !runtime || !artefact || !arch || !osVersion || !/^\d+$/.test(api))
        return undefined;
      const formFactors = factors.split(",");
      return onDatabase(async (deps) => {
        const image = {
          name,
          runtime,
          artefact,
          arch,
          osVersion,
          sdkVersion: Number(api),
          formFactors,
          checksum,
          zones: zone?.split(","),
        };
        console.log(`${await addOfficialImage(deps, image, deps.by)}: make a recipe of it at /recipes.`);
      });
    },
  },
  {
    name: "images remove",
    usage: "images remove NAME|UUID",
    about: "an official image that no recipe uses",
    read: ({ words: [called, ...rest] }) => {
      if (!called || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const { catalogue } = installation.settings;
          const files = [officialCatalogue, ...(catalogue ? [catalogue] : [])];
          const { images } = rowsOf(await Promise.all(files.map(readCatalogue)), new Date(0));
          await removeOfficialImage(deps, called, new Set(images.map(({ uuid }) => uuid)), deps.by);
          console.log(`${called} is removed.`);
        })(installation);
    },
  },
  {
    name: "images verify",
    usage: "images verify [--json]",
    about: "whether the runtimes of this machine have each official image, as it was added",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const runtimes = await installation.runtimes(deps);
          try {
            const images = await verifyOfficialImages(deps.db, runtimes);
            print(images, options);
            if (images.some(({ problem }) => problem !== null)) process.exitCode = 1;
          } finally {
            await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
          }
        })(installation);
    },
  },
];
