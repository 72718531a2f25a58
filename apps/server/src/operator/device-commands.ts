import type { AdbPoolAccess } from "@terrarium/runtime";
import { listFound, offerCalled } from "../features/operator/offer.ts";
import { scrcpyServerFile } from "../settings.ts";
import { type Command, type Installation, onDatabase, print, type Work } from "./command.ts";

/** Does something with the phones that an adb server reaches. */
const withPhones =
  (work: (phones: AdbPoolAccess) => Promise<void>): Work =>
  (installation: Installation) =>
    onDatabase(async (deps) => {
      const runtimes = await installation.runtimes(deps);
      try {
        const { wireless } = [...runtimes.values()].find((runtime) => runtime.wireless !== undefined) ?? {};
        if (!wireless) throw new Error("TERRARIUM_RUNTIMES names no adb-pool, or TERRARIUM_ADB_POOL_SERVER is off.");
        await work(wireless);
      } finally {
        await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
      }
    })(installation);

export const deviceCommands: readonly Command[] = [
  {
    name: "scrcpy fetch",
    usage: "scrcpy fetch [URL]",
    about: "gets scrcpy's server, which shows devices that are not simulated",
    read: ({ words: [url, ...rest] }) => {
      if (rest.length > 0) return undefined;
      return async ({ settings: { dataDir } }) => {
        const { fetchScrcpyServer } = await import("../gateway/display/fetch-server.ts");
        const path = scrcpyServerFile(dataDir);
        await fetchScrcpyServer(path, { url });
        console.log(`${path} is there, and is used from the next start on.`);
      };
    },
  },
  {
    name: "found list",
    usage: "found list [--json]",
    about: "what gateways have found that could be started: phones, images, or why not",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async ({ db }) => {
        const found = await listFound(db);
        if (found.length === 0 && !options.json)
          console.log("No gateway has found anything. docs/RUNTIMES.md says how.");
        else print(found, options);
      });
    },
  },
  {
    name: "found offer",
    usage: "found offer KEY [--runtime RUNTIME]",
    about: "makes an official recipe of it, which everybody who may start recipes can start",
    read: ({ words: [key, ...rest], options: { runtime } }) => {
      if (!key || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        const { name } = await offerCalled(deps, { key, runtime }, deps.by);
        console.log(`${name} is in the catalogue: start it from the launchpad.`);
      });
    },
  },
  {
    name: "phones nearby",
    usage: "phones nearby [--json]",
    about: "what phones say over Wi-Fi (mDNS) to the adb server: whether they can be paired or connected",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return withPhones(async (phones) => {
        const found = await phones.nearby();
        if (found.length === 0 && !options.json) console.log("No phone says anything. Wireless debugging is to be on.");
        else print(found, options);
      });
    },
  },
  {
    name: "phones pair",
    usage: "phones pair HOST:PORT CODE",
    about: "a phone over Wi-Fi, by the code of six digits that it shows",
    read: ({ words: [address, code, ...rest] }) => {
      if (!address || !/^\d{6}$/.test(code ?? "") || rest.length > 0) return undefined;
      return withPhones(async (phones) => console.log(await phones.pair(address, code!)));
    },
  },
  {
    name: "phones connect",
    usage: "phones connect HOST:PORT",
    about: "a phone over Wi-Fi that was paired",
    read: ({ words: [address, ...rest] }) => {
      if (!address || rest.length > 0) return undefined;
      return withPhones(async (phones) => console.log(await phones.connect(address)));
    },
  },
];
