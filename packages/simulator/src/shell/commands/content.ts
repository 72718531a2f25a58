import type { SimulatedDevice } from "../../device/simulated-device.ts";
import { hasPhone } from "../../device/phone.ts";
import { namespaces } from "../../device/settings.ts";
import { type Commands, UsageError } from "../invocation.ts";

type Row = Readonly<Record<string, string | number>>;

/** CallLog.Calls.TYPE. */
const callTypes = { answered: 1, missed: 3, rejected: 5 } as const;

const messages = ({ state }: SimulatedDevice): Row[] =>
  state.values.messages
    .map(({ from, text, timeMs }, at) => ({
      _id: at + 1,
      address: from,
      date: timeMs,
      read: 0,
      type: 1,
      body: text,
    }))
    .toReversed();

const calls = ({ state }: SimulatedDevice): Row[] =>
  state.values.calls
    .map(({ from, timeMs, ended }, at) => ({ _id: at + 1, number: from, date: timeMs, type: callTypes[ended] }))
    .toReversed();

const sims = ({ state }: SimulatedDevice): Row[] => {
  const { sim } = state.values;
  return [
    {
      _id: 1,
      sim_id: 0,
      display_name: sim.simName,
      carrier_name: sim.networkName,
      number: sim.number,
      mcc_string: sim.simOperator.slice(0, 3),
      mnc_string: sim.simOperator.slice(3),
      imsi: sim.simOperator + sim.subscriber,
    },
  ];
};

const ofPhones: Readonly<Record<string, (device: SimulatedDevice) => Row[]>> = {
  "content://sms": messages,
  "content://sms/inbox": messages,
  "content://call_log/calls": calls,
  "content://telephony/siminfo": sims,
};

function rowsOf(device: SimulatedDevice, uri: string): Row[] {
  const namespace = namespaces.find((one) => uri === `content://settings/${one}`);
  if (namespace) return device.settings.list(namespace).map(([name, value], at) => ({ _id: at + 1, name, value }));
  const rows = hasPhone(device) && Object.hasOwn(ofPhones, uri) ? ofPhones[uri] : undefined;
  if (!rows) throw new UsageError(`Error while accessing provider:${uri.split("/")[2] ?? ""}`);
  return rows(device);
}

/** `NAME=VALUE`, as far as scripts use conditions. */
function filterOf(where: string | undefined): (row: Row) => boolean {
  if (where === undefined) return () => true;
  const [, name = "", text, number] = /^\s*(\w+)\s*=\s*(?:'([^']*)'|(-?\d+))\s*$/.exec(where) ?? [];
  if (name === "") throw new UsageError(`a simulated device knows conditions of the form NAME='VALUE'`);
  return (row) => String(row[name]) === (text ?? number);
}

export const content: Commands = {
  content: async (call) => {
    const [verb, ...args] = call.args;
    if (verb !== "query") throw new UsageError(`[ERROR] Unsupported operation: ${verb ?? ""}`);
    const given = new Map<string, string>();
    for (let at = 0; at < args.length; at += 2) {
      if (!["--uri", "--projection", "--where", "--sort", "--user"].includes(args[at]!) || args[at + 1] === undefined)
        throw new UsageError(`[ERROR] Unsupported argument: ${args[at]}`);
      given.set(args[at]!, args[at + 1]!);
    }
    const columns = given.get("--projection")?.split(":");
    const rows = rowsOf(call.device, given.get("--uri")?.replace(/\/$/, "") ?? "").filter(
      filterOf(given.get("--where")),
    );
    if (rows.length === 0) await call.stdout.write("No result found.\n");
    for (const [at, row] of rows.entries()) {
      const shown = (columns ?? Object.keys(row)).map((name) => `${name}=${row[name] ?? "NULL"}`);
      await call.stdout.write(`Row: ${at} ${shown.join(", ")}\n`);
    }
    return 0;
  },
};
