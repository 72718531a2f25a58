import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = `http://localhost:${process.env.PORT ?? "8080"}`;
const proxy = { "/cloud": { target: server, ws: true } };

/** The one font file that every page needs is fetched beside the script, not after the style sheet was read. */
const preloadSans: Plugin = {
  name: "preload-sans",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => /instrument-sans-latin-standard-normal.*\.woff2$/.test(name));
      if (!file) throw new Error("the sans font is not among the built files");
      const attrs = { rel: "preload", href: `/${file}`, as: "font", type: "font/woff2", crossorigin: "" };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  },
};

/** Libraries change less often than our code: apart from it, they stay in people's caches when we ship. */
const groups = [{ name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\// }];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadSans],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { port: 5173, proxy },
  preview: { proxy },
});
