import { defineConfig } from "vite";
import { compressed } from "./compressed.ts";

/** What pages of other services load to show a device: one small module, and the player when it is needed. It goes beside the web app. */
export default defineConfig({
  root: import.meta.dirname,
  // Parts are fetched from where the module is, not from the page.
  base: "./",
  plugins: [compressed],
  build: {
    copyPublicDir: false,
    emptyOutDir: false,
    target: "es2023",
    minify: true,
    modulePreload: false,
    rolldownOptions: {
      input: "src/embed/main.ts",
      output: { entryFileNames: "embed.js", chunkFileNames: "embed-parts/[name]-[hash].js" },
    },
  },
});
