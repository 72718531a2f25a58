import { dumpUi } from "@terrarium/adb";
import { within } from "@terrarium/clock";
import { parseUiXml, type UiNode } from "@terrarium/contract";
import { neverOver, type OpenTool, type ToolDeps, ToolError, type ToolLink } from "./tool.ts";

/** What is on a device's screen, in the display's pixels as it is held. */
interface UiTree {
  width: number;
  height: number;
  /** Quarter turns. */
  rotation: number;
  root: UiNode;
  /** There are more nodes than these. */
  isCut: boolean;
}

/** Android waits ten seconds for its screen to be still. */
const TIMEOUT_MS = 30_000;
/** What a device gets to itself between two of them, whoever asks. */
const PAUSE_MS = 250;

/** Reports what is on the screen. Whoever sees the picture may read it. */
export const openUiTree: OpenTool = async (deps) => ({
  over: neverOver,
  async answer({ what }) {
    if (what !== "dump") throw new ToolError("invalid");
    return { tree: await shared(deps) };
  },
});

/** The one that runs, and the one after it, which all share who ask meanwhile. */
interface Turn {
  last: Promise<unknown>;
  next?: Promise<UiTree> | undefined;
}

const turns = new WeakMap<ToolLink, Turn>();

/** Android takes one at a time. It outlives who asked for it, since others may wait for it. */
function shared(deps: ToolDeps): Promise<UiTree> {
  const { link, clock } = deps;
  const turn = turns.get(link) ?? { last: Promise.resolve() };
  turns.set(link, turn);
  turn.next ??= turn.last.then(() => {
    turn.next = undefined;
    const dumped = dump(deps);
    const pause = () => clock.sleep(PAUSE_MS);
    turn.last = dumped.then(pause, pause);
    return dumped;
  });
  return turn.next;
}

async function dump({ link, clock }: ToolDeps): Promise<UiTree> {
  const { xml, said } = await within(TIMEOUT_MS, clock, new AbortController().signal, (signal) =>
    dumpUi(link, "terrarium-ui", { signal, first: "wm size" }),
  );
  if (xml === undefined) throw new ToolError("refused", /^(?:ERROR|uiautomator|.*Exception).*$/m.exec(said)?.[0]);
  const { root, rotation, isCut } = read(xml);
  // An override is what everything is measured by; it comes last.
  const [, wide = root.bounds[2], high = root.bounds[3]] =
    [...said.matchAll(/ size: (\d{1,5})x(\d{1,5})/g)].at(-1)?.map(Number) ?? [];
  const isTurned = rotation % 2 === 1;
  return { width: isTurned ? high : wide, height: isTurned ? wide : high, rotation, root, isCut };
}

function read(xml: string): ReturnType<typeof parseUiXml> {
  try {
    return parseUiXml(xml);
  } catch (error) {
    throw new ToolError("failed", error instanceof Error ? error.message : undefined);
  }
}
