import { useState } from "react";

/** What a page asks in a dialog: which one, and what it is about. */
interface Question {
  what: string;
}

/** The dialog of a page. There is one at a time: another takes its place, and closing it forgets what it was about. */
export function useDialog<Asked extends Question>() {
  const [asked, ask] = useState<Asked>();
  return { asked, ask, close: () => ask(undefined) };
}

interface Props<Asked extends Question> {
  asked: Asked | undefined;
  /** Draws each of the page's dialogs. */
  dialogs: { [What in Asked["what"]]: (asked: Asked & { what: What }) => React.ReactNode };
}

/** The dialog that is open. One that the page does not have is logged, and nothing opens. */
export function OpenDialog<Asked extends Question>({ asked, dialogs }: Props<Asked>): React.ReactNode {
  if (!asked) return null;
  const draw: ((asked: never) => React.ReactNode) | undefined = dialogs[asked.what as Asked["what"]];
  if (!draw) console.error(`There is no dialog ${asked.what}`);
  return draw?.(asked as never);
}
