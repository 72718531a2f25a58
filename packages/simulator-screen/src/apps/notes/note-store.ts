import type { ScreenHost } from "@terrarium/simulator/screen";

export interface Note {
  id: number;
  text: string;
  /** Milliseconds since 1970. */
  editedAt: number;
}

export const NOTES_FILE = "/data/data/com.terrarium.notes/files/notes.json";

/** The notes of a device, stored in one file of the app's own. */
export class NoteStore {
  readonly #host: ScreenHost;

  constructor(host: ScreenHost) {
    this.#host = host;
  }

  /** Newest first. A file that is not ours to read counts as none. */
  list(): Note[] {
    const text = this.#host.readText(NOTES_FILE);
    if (text === undefined) return [];
    try {
      const notes: unknown = JSON.parse(text);
      return Array.isArray(notes) ? notes.filter(isNote).toSorted((a, b) => b.editedAt - a.editedAt) : [];
    } catch {
      return [];
    }
  }

  save(id: number, text: string): void {
    const others = this.list().filter((note) => note.id !== id);
    this.#write([{ id, text, editedAt: this.#host.clock.now() }, ...others]);
  }

  remove(id: number): void {
    this.#write(this.list().filter((note) => note.id !== id));
  }

  nextId(): number {
    return 1 + this.list().reduce((max, note) => Math.max(max, note.id), 0);
  }

  #write(notes: Note[]): void {
    this.#host.writeText(NOTES_FILE, JSON.stringify(notes));
  }
}

const isNote = (value: unknown): value is Note =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Note).id === "number" &&
  typeof (value as Note).text === "string" &&
  typeof (value as Note).editedAt === "number";
