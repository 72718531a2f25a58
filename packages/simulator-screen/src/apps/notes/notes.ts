import type { CreateApp } from "../app.ts";
import { NoteEditor } from "./note-editor.ts";
import { drawNoteList } from "./note-list.ts";
import { NoteStore } from "./note-store.ts";

/** Short texts, stored on the device. */
export const createNotes: CreateApp = (shell, app) => {
  const store = new NoteStore(shell.host);
  let editor: NoteEditor | undefined;
  const open = (id: number, text: string): void => {
    editor = new NoteEditor(shell, store, id, text);
    shell.edit(editor.field);
  };
  const close = (): void => {
    shell.edit(undefined);
    editor = undefined;
  };
  return {
    packageName: app.packageName,
    activity: ".Notes",
    draw(ui, frame) {
      if (!editor) {
        drawNoteList(ui, frame, store.list(), { open, create: () => open(store.nextId(), "") });
        return;
      }
      const { id } = editor;
      editor.draw(ui, frame, {
        close,
        remove: () => {
          store.remove(id);
          close();
        },
      });
    },
    back() {
      if (!editor) return false;
      close();
      return true;
    },
  };
};
