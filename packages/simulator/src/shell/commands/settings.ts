import { type Namespace, namespaces } from "../../device/settings.ts";
import { type Commands, UsageError } from "../invocation.ts";

const isNamespace = (text: string | undefined): text is Namespace => namespaces.some((name) => name === text);

export const settings: Commands = {
  settings: async (call) => {
    const args = call.args[0] === "--user" ? call.args.slice(2) : call.args;
    const [verb, namespace, name, value] = args;
    if (verb === undefined || !["get", "put", "delete", "list"].includes(verb))
      throw new UsageError(`Invalid command: ${verb ?? ""}`, 255);
    if (!isNamespace(namespace)) throw new UsageError(`Invalid namespace '${namespace ?? ""}'`, 255);
    const { settings: store } = call.device;
    if (verb === "list") {
      for (const [key, held] of store.list(namespace)) await call.stdout.write(`${key}=${held}\n`);
      return 0;
    }
    if (name === undefined) throw new UsageError("Bad arguments", 255);
    if (verb === "get") await call.stdout.write(`${store.get(namespace, name) ?? "null"}\n`);
    else if (verb === "delete") await call.stdout.write(`Deleted ${store.delete(namespace, name) ? 1 : 0} rows\n`);
    else {
      if (value === undefined) throw new UsageError("Bad arguments", 255);
      if (!store.put(namespace, name, value))
        throw new UsageError(`'${value}' is not a value of ${namespace}/${name} on this device`, 255);
    }
    return 0;
  },

  svc: async (call) => {
    const [what, how] = call.args;
    const on = how === "enable";
    if (how === "enable" || how === "disable") {
      if (what === "wifi" || what === "data") {
        call.device.state.set(what === "wifi" ? { wifi: on } : { mobileData: on });
        return 0;
      }
    }
    if (what === "power" && how === "stayon") return 0;
    if (what === "power" && (how === "reboot" || how === "shutdown")) {
      call.device.reboot(how === "shutdown" ? "shutdown" : (call.args[2] ?? ""));
      return 0;
    }
    await call.stderr.write(
      "Available commands:\n    help     Show information about the subcommands\n    power    Control the power manager\n    data     Control mobile data connectivity\n    wifi     Control the Wi-Fi manager\n",
    );
    return 1;
  },
};
