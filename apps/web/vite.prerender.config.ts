import { defineConfig } from "vite";
import { docs } from "./docs-plugin.ts";

/** What makes the pages before sign-in on the server, with all that it needs in one file. It lies where nothing is served from. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [docs()],
  ssr: { noExternal: true },
  define: { "process.env.NODE_ENV": '"production"' },
  build: {
    copyPublicDir: false,
    ssr: "src/prerender/prerender.tsx",
    outDir: "dist/.prerender",
    target: "es2023",
    rolldownOptions: { output: { codeSplitting: false, entryFileNames: "prerender.mjs" } },
  },
});
