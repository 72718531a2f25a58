import { type Commands, UsageError } from "../invocation.ts";

export const properties: Commands = {
  getprop: async (call) => {
    const [name, fallback] = call.args;
    if (name === undefined) {
      for (const [key, value] of call.device.properties.entries()) await call.stdout.write(`[${key}]: [${value}]\n`);
      return 0;
    }
    if (name.startsWith("-")) throw new UsageError(`Unknown option '${name.slice(1)}'`);
    await call.stdout.write(`${call.device.properties.get(name) || (fallback ?? "")}\n`);
    return 0;
  },

  setprop: async (call) => {
    const [name, value] = call.args;
    if (name === undefined || value === undefined || call.args.length > 2) throw new UsageError("Needs 2 arguments");
    const refused = call.device.properties.setFromShell(name, value);
    if (refused === undefined) return 0;
    await call.stderr.write(`Failed to set property '${name}' to '${value}'.\nSee dmesg for error reason.\n`);
    return 1;
  },
};
