import { defineConfig } from "vite";

/** One file without dependencies: Node strips no types inside of node_modules, and a tool for CI should install at once. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    ssr: "src/main.ts",
    target: "node20",
    emptyOutDir: true,
    rolldownOptions: { output: { entryFileNames: "main.mjs", codeSplitting: false } },
  },
  ssr: { noExternal: true },
});
