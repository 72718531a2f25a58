import { describeFileStore } from "./testing/describe-file-store.ts";
import { MemoryFiles } from "./testing/memory-files.ts";

describeFileStore("memory", async () => ({ store: new MemoryFiles(), incoming: async () => [] }));
