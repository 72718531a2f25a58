import { describe, expect, it } from "vitest";
import { fakeHost } from "../../testing/fake-host.ts";
import { NOTES_FILE, NoteStore } from "./note-store.ts";

describe("NoteStore", () => {
  it("keeps notes, the last written first", async () => {
    const host = fakeHost();
    const store = new NoteStore(host);
    store.save(store.nextId(), "one");
    await host.clock.advance(1000);
    store.save(store.nextId(), "two");
    await host.clock.advance(1000);
    store.save(1, "one again");
    expect(new NoteStore(host).list().map((note) => note.text)).toEqual(["one again", "two"]);
    store.remove(1);
    expect(store.list().map((note) => note.id)).toEqual([2]);
  });

  it.each(["", "nonsense", "{}", '[{"id":"x"}]'])("takes a file of %j for no notes", (text) => {
    const host = fakeHost();
    host.files.set(NOTES_FILE, text);
    expect(new NoteStore(host).list()).toEqual([]);
  });
});
