import type { DisplaySession } from "@terrarium/sdk/display";
import "../../../en/display.ts";
import "../../../en/tools.ts";
import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../../../components/announce.ts";
import { visuallyHidden } from "../../../components/hidden.ts";
import { useRetainedFocus } from "../../../components/use-retained-focus.ts";
import { keysOf } from "../gadgets/Text.tsx";
import { sayTrouble } from "../tools/ToolNotice.tsx";
import { useDisplayStatus } from "../use-display-status.ts";
import { type Reading, readingOf, wordsOf } from "./reading.ts";
import { areInStep, boxOf, has, type UiTree } from "./ui-node.ts";
import type { UiTreeSource } from "./ui-tree-source.ts";
import { useUiTree } from "./use-ui-tree.ts";

/** Of what is new on a screen, as much as is said by itself. */
const MAX_SAID = 3;
const NOTCHES_PX = 360;

interface Props {
  source: UiTreeSource;
  session: DisplaySession;
  name: string;
  /** It can be read, and nothing pressed. */
  isViewOnly: boolean;
}

/** What is on the device's screen as a screen reader finds it: each thing where it is on the picture, and pressed as if it was touched there. */
export default function ScreenReaderTree({ source, session, name, isViewOnly }: Props) {
  const { t } = useTranslation();
  useEffect(() => source.hold(), [source]);
  const { tree, failure, connection } = useUiTree(source);
  const picture = useDisplayStatus(session, "picture");
  const readings = useMemo(() => (tree ? readingOf(tree.root) : []), [tree]);
  const layer = useRetainedFocus<HTMLElement>();
  useAnnounced(readings);
  const isTrue = tree !== undefined && areInStep(tree, picture);
  const lost = connection.phase === "over" ? connection.failure : failure;
  const hands = isViewOnly || !tree || !isTrue || !picture ? undefined : handsOn(tree, picture, session);
  return (
    <Box
      {...layer}
      component="section"
      tabIndex={-1}
      aria-label={t("display.reader.label", { name })}
      aria-busy={!isTrue}
      sx={over}
      // Only what leads out of the picture is the page's; a letter is no shortcut of it.
      onKeyDown={(event) => event.key !== "F6" && event.stopPropagation()}
    >
      {lost && <Box sx={visuallyHidden}>{sayTrouble(t, lost)}</Box>}
      {!isTrue && !lost && <Box sx={visuallyHidden}>{t("display.reader.reading")}</Box>}
      {isTrue && readings.map((reading) => <Thing key={reading.key} reading={reading} tree={tree} hands={hands} />)}
    </Box>
  );
}

/** What can be done on a device by hand. */
type Hands = ReturnType<typeof handsOn>;

function handsOn(tree: UiTree, picture: { width: number; height: number }, session: Pick<DisplaySession, "send">) {
  const middle = ({ node: { bounds } }: Reading) => ({
    x: Math.round(((bounds[0] + bounds[2]) / 2 / tree.width) * picture.width),
    y: Math.round(((bounds[1] + bounds[3]) / 2 / tree.height) * picture.height),
  });
  return {
    tap(reading: Reading) {
      for (const type of ["MOUSE_PRESS", "MOUSE_RELEASE"]) session.send({ type, ...middle(reading) });
    },
    scroll: (reading: Reading, way: 1 | -1) =>
      session.send({ type: "WHEEL", delta: way * NOTCHES_PX, ...middle(reading) }),
    type(text: string) {
      for (const key of keysOf(text)) session.send(key);
    },
    press(keycode: number) {
      for (const type of ["KEYBOARD_PRESS", "KEYBOARD_RELEASE"]) session.send({ type, keychar: "", keycode });
    },
  };
}

interface ThingProps {
  reading: Reading;
  tree: UiTree;
  /** Missing for who may only read. */
  hands: Hands | undefined;
}

function Thing({ reading, tree, hands }: ThingProps) {
  const { t } = useTranslation();
  const { kind, node, isChecked, items } = reading;
  const style = boxOf(node, tree);
  const name = reading.name || t("display.reader.unnamed");
  switch (kind) {
    case "list":
      return (
        <Box component="ul" aria-label={reading.name || undefined}>
          {items?.map((item) => (
            <Box key={item[0]?.key} component="li">
              {item.map((each) => (
                <Thing key={each.key} reading={each} tree={tree} hands={hands} />
              ))}
            </Box>
          ))}
        </Box>
      );
    case "scroll":
      return (
        hands &&
        ([-1, 1] as const).map((way) => (
          <Box key={way} component="button" type="button" style={style} onClick={() => hands.scroll(reading, way)}>
            <Box component="span" sx={visuallyHidden}>
              {t(way < 0 ? "display.reader.scrollUp" : "display.reader.scrollDown")}
            </Box>
          </Box>
        ))
      );
    case "field":
      return <Field reading={reading} name={name} style={style} hands={hands} />;
    case "heading":
      return (
        <Box component="h2" style={style}>
          <Box component="span" sx={visuallyHidden}>
            {name}
          </Box>
        </Box>
      );
    case "image":
      return <Box component="img" alt={name} style={style} />;
    case "text":
      return (
        <Box style={style}>
          <Box component="span" sx={visuallyHidden}>
            {name}
          </Box>
        </Box>
      );
    default:
      return (
        <Box
          component="button"
          type="button"
          role={kind === "button" ? undefined : kind}
          aria-checked={isChecked}
          aria-current={has(node, "selected") || undefined}
          aria-disabled={!hands || has(node, "disabled") || undefined}
          style={style}
          onClick={() => hands?.tap(reading)}
        >
          <Box component="span" sx={visuallyHidden}>
            {name}
          </Box>
        </Box>
      );
  }
}

/** The keys of a field by the codes of the player's; all others write. */
const fieldKeys: Readonly<Record<string, number>> = {
  Backspace: 0x01000003,
  Delete: 0x01000007,
  Enter: 0x01000005,
  ArrowLeft: 0x01000012,
  ArrowUp: 0x01000013,
  ArrowRight: 0x01000014,
  ArrowDown: 0x01000015,
};

/** A field of the device: what is typed goes there, and what it holds is what the device says. */
function Field({
  reading,
  name,
  style,
  hands,
}: Omit<ThingProps, "tree"> & { name: string; style: React.CSSProperties }) {
  const { node } = reading;
  const text = node.text === node.hint ? "" : (node.text ?? "");
  // The first key is for the field that has the focus there as well.
  const isThere = useRef(has(node, "focused"));
  useEffect(() => {
    isThere.current = has(node, "focused");
  }, [node]);
  const reach = () => {
    if (!isThere.current) hands?.tap(reading);
    isThere.current = true;
  };
  const write = (words: string) => {
    if (words === "") return;
    reach();
    hands?.type(words);
  };
  return (
    <Box
      component="input"
      type={has(node, "password") ? "password" : "text"}
      aria-label={name}
      autoComplete="off"
      spellCheck={false}
      readOnly={!hands}
      disabled={has(node, "disabled")}
      value={text}
      style={style}
      onChange={() => undefined}
      onClick={() => hands?.tap(reading)}
      onBeforeInput={(event: React.InputEvent<HTMLInputElement>) => {
        event.preventDefault();
        write(event.data);
      }}
      onPaste={(event: React.ClipboardEvent) => {
        event.preventDefault();
        write(event.clipboardData.getData("text"));
      }}
      onKeyDown={({ key, ctrlKey, altKey, metaKey, nativeEvent }: React.KeyboardEvent) => {
        const code = fieldKeys[key];
        if (code === undefined || ctrlKey || altKey || metaKey || nativeEvent.isComposing) return;
        reach();
        hands?.press(code);
      }}
    />
  );
}

/** Says what is new on a screen that was there before. */
function useAnnounced(readings: readonly Reading[]): void {
  const before = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const words = wordsOf(readings);
    const known = before.current;
    if (words.length > 0) before.current = new Set(words);
    const fresh = known ? words.filter((each) => !known.has(each)) : [];
    if (fresh.length > 0) announce(fresh.slice(0, MAX_SAID).join(". "));
  }, [readings]);
}

const over = (theme: Theme) => ({
  position: "absolute",
  inset: 0,
  outline: "none",
  // Hands and mice touch the picture itself.
  pointerEvents: "none",
  "& ul": { listStyle: "none", margin: 0, padding: 0 },
  "& :is(button, input, h2, img, div[style])": {
    position: "absolute",
    boxSizing: "border-box",
    margin: 0,
    padding: 0,
    border: 0,
    background: "none",
    color: "transparent",
    caretColor: "transparent",
  },
  "& :is(button, input):focus": { outline: "none" },
  "& :is(button, input):focus-visible": {
    outline: `3px solid ${theme.vars.palette.focus}`,
    outlineOffset: -3,
    boxShadow: "inset 0 0 0 5px #fff",
  },
});
