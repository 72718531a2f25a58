import { serverCommand } from "@terrarium/scrcpy";
import { openApp } from "../apps/install-app.ts";
import { neverOver, type OpenTool, recorded, runTool, type ToolDeps, ToolError } from "./tool.ts";

/** As Android's package manager has it. */
const NAME = /^[A-Za-z]\w*(\.\w+)*$/;
const MAX_NAME_CHARS = 223;

type Act = (deps: ToolDeps, name: string) => Promise<object>;

/** Lists what is installed; opens an app, deletes its data, or removes it. */
export const openApps: OpenTool = async (deps) => ({
  over: neverOver,
  async answer({ what, said }) {
    if (what === "list") return { apps: await list(deps) };
    if (what === "names") return { names: await names(deps) };
    const act = Object.hasOwn(acts, what) ? acts[what] : undefined;
    const name = said["name"];
    if (!act || typeof name !== "string" || name.length > MAX_NAME_CHARS || !NAME.test(name))
      throw new ToolError("invalid");
    return act(deps, name);
  },
});

const acts: Record<string, Act> = {
  async launch({ link, signal }, name) {
    if (!(await openApp(link, name, signal))) throw new ToolError("refused");
    return {};
  },
  clear: (deps, name) => packageManager(deps, "clear", name),
  uninstall: (deps, name) => packageManager(deps, "uninstall", name),
};

/** Changes an app in a way that is to be known later. */
function packageManager(deps: ToolDeps, verb: "clear" | "uninstall", name: string): Promise<object> {
  const act = { action: `instance.${verb}_app`, details: { package: name } } as const;
  return recorded(deps, act, runPackageManager(deps, verb, name));
}

/** It says in words whether it did; older versions end with 0 in any case. */
async function runPackageManager(deps: ToolDeps, verb: string, name: string): Promise<object> {
  const { stdout, stderr } = await runTool(deps, ["pm", verb, name]);
  if (!/^Success\b/m.test(stdout)) throw new ToolError("refused", `${stdout}${stderr}`.trim());
  return {};
}

/** Those that came with the device, and those that were installed. */
async function list(deps: ToolDeps): Promise<object[]> {
  const of = async (option: string, isSystem: boolean) => {
    const { stdout } = await runTool(deps, ["pm", "list", "packages", option]);
    return [...stdout.matchAll(/^package:([\w.]+)\r?$/gm)].map(([, name]) => ({ name, isSystem }));
  };
  return [...(await of("-3", false)), ...(await of("-s", true))];
}

/**
 * What a launcher calls its apps, by their packages. No command of Android's prints that: scrcpy's server, which is on the device for its
 * picture, reads them as an app does. That takes a device some seconds.
 */
async function names(deps: ToolDeps): Promise<Record<string, string>> {
  // It must not delete itself.
  const { stdout } = await runTool(deps, `${serverCommand({ cleanup: false })} list_apps=true`);
  // ` - Name    com.example.app`; a long name takes a line of its own.
  const lines = stdout.matchAll(/^ [*-] (.+?)\s+([A-Za-z]\w*(?:\.\w+)+)\r?$/gm);
  return Object.fromEntries(Array.from(lines, ([, label = "", name = ""]) => [name, label]));
}
