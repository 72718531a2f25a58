import type { Clock } from "@terrarium/clock";
import type { AdbAddress, AdbPoolAccess } from "@terrarium/runtime";
import { AdbServer } from "./adb-server.ts";

/** What phones with wireless debugging say of themselves, and what can be done with it. */
const SERVICES: Readonly<Record<string, "pair" | "connect">> = {
  "_adb-tls-pairing._tcp": "pair",
  "_adb-tls-connect._tcp": "connect",
  "_adb._tcp": "connect",
};
/** It becomes part of a request to the adb server. */
const ADDRESS = /^(\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i;

/** Phones over Wi-Fi, by an adb server, which has the keys of those that it was paired with. */
export function wirelessOf(address: AdbAddress, clock: Clock): AdbPoolAccess {
  const server = new AdbServer(address, clock);
  const answer = (request: string) =>
    server.ask(request, new AbortController().signal).catch((error: Error) => {
      if (error.message !== "unknown host service") throw error;
      throw new Error("this adb server knows no wireless debugging: adb 30 or newer does", { cause: error });
    });
  const ask = async (request: string, succeeds: RegExp): Promise<string> => {
    const said = (await answer(request)).trim();
    // It also says that it failed in this way.
    if (!succeeds.test(said)) throw new Error(said || "the adb server says nothing");
    return said;
  };
  return {
    nearby: async () => servicesIn(await answer("host:mdns:services")),
    pair: async (phone, code) => ask(`host:pair:${code}:${checked(phone)}`, /^Successfully paired/i),
    connect: async (phone) => ask(`host:connect:${checked(phone)}`, /^(already )?connected to/i),
  };
}

/** Lines of a name, a service and an address. */
export const servicesIn = (text: string): Awaited<ReturnType<AdbPoolAccess["nearby"]>> =>
  text.split("\n").flatMap((line) => {
    const [name = "", service = "", address = ""] = line.trim().split(/\s+/);
    const can = SERVICES[service.replace(/\.$/, "")];
    return can && ADDRESS.test(address) ? [{ name, address, can }] : [];
  });

function checked(address: string): string {
  if (!ADDRESS.test(address)) throw new Error(`"${address}" is not HOST:PORT`);
  return address;
}
