import { defineConfig } from "vite";

/** What is published: modules for Node and for bundlers, with the contract in them. Libraries that others use too stay outside. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    lib: {
      entry: ["index", "events", "adb", "display", "scenario-file"].map((name) => `src/${name}.ts`),
      formats: ["es"],
    },
    target: "es2023",
    minify: false,
    rolldownOptions: {
      external: /^(socket\.io-client|yaml|zod|@yume-chan\/.*)$/,
      // Beside the modules that are imported, so that they are not taken for one of them.
      output: { chunkFileNames: "parts/[name]-[hash].js" },
    },
  },
});
