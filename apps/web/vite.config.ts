import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compressed } from "./compressed.ts";
import { docs } from "./docs-plugin.ts";

const server = `http://localhost:${process.env.PORT ?? "8080"}`;
const proxy = { "/cloud": { target: server, ws: true }, "/mcp": { target: server } };

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

/**
 * What is seen first (the page itself and its font) comes before the scripts that take it over. Those run one by one as they arrive: a
 * browser would run what the entry imports in one piece with it, and hear nobody meanwhile.
 */
const scriptsAfterThePage: Plugin = {
  name: "scripts-after-the-page",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html) {
      const parts: string[] = [];
      const without = html.replaceAll(
        /\s*<link rel="modulepreload"( crossorigin)? href="([^"]*)">/g,
        (_, cors, file) => {
          parts.push(`<script type="module"${cors ?? ""} src="${file}"></script>`);
          return "";
        },
      );
      return without
        .replace('<script type="module"', (entry) => parts.join("\n    ") + entry)
        .replaceAll('<script type="module"', '$& fetchpriority="low"');
    },
  },
};

/** Pages have sentences of their own for errors, and the service sends its own with each: its whole table is only weight for a browser. */
const withoutMessages: Plugin = {
  name: "errors-without-messages",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/contract/src/errors.ts")) return undefined;
    const shorter = code.replaceAll(/(\{\s*status: \d+),\s*message:\s*"[^"]*",?\s*\}/g, "$1 }");
    if (shorter.length === code.length) throw new Error("there are no messages in the table of errors");
    return { code: shorter, map: null };
  },
};

/**
 * Libraries change less often than our code: apart from it, they stay in people's caches when we ship. The others hold what is needed
 * together, first of all by the public pages: left alone, each part that two pages share is a file, and a page asks for dozens.
 * A group takes along what its modules import, unless a group above it has that.
 */
const groups = [
  { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 5 },
  {
    name: "theme",
    test: /node_modules\/@(emotion|mui\/(system|styled-engine|utils|material\/(styles|colors|utils)))\/|src\/theme\/.*\.ts$/,
    tags: ["$initial" as const],
    priority: 4.1,
  },
  { name: "every-page", tags: ["$initial" as const], priority: 4 },
  {
    name: "way-in",
    test: /src\/(shared\/(Mail|NewPassword|ResendLink|bot-check)|components\/(focus-when-shown|form\/CheckboxField))|@mui\/material\/Link\//,
    priority: 3,
  },
  { name: "menus", test: /src\/components\/form\/SelectField|@mui\/material\/Menu\//, priority: 2 },
  { name: "drawings", test: /src\/shared\/(DeviceDrawing|Stage)\./, priority: 1 },
];

/**
 * Emotion imports this for a function that nothing here calls, and a CommonJS module is bundled unless one says that it does nothing by
 * itself.
 */
const unused = { test: /node_modules\/hoist-non-react-statics\//, sideEffects: false };

/** The theme has no ripples, and no button shows MUI's own progress; but every button would bring the code of both. */
const notRendered = {
  find: /^(\.\/TouchRipple|\.\.\/CircularProgress\/index)\.mjs$/,
  replacement: join(import.meta.dirname, "src/theme/not-rendered.ts"),
};

/** A phone would make a second theme, for nobody, before the first thing is shown. */
const notUsed = {
  find: /^(\.|\.\.\/styles)\/defaultTheme\.mjs$/,
  replacement: join(import.meta.dirname, "src/theme/not-used.ts"),
};

const schemeNames = {
  find: /^\.\.\/InitColorSchemeScript\/InitColorSchemeScript\.mjs$/,
  replacement: join(import.meta.dirname, "src/theme/color-scheme-names.ts"),
};

export default defineConfig({
  resolve: { alias: [notRendered, notUsed, schemeNames] },
  root: import.meta.dirname,
  plugins: [react(), docs(), preloadSans, scriptsAfterThePage, withoutMessages, compressed],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    manifest: true,
    rolldownOptions: {
      // The first page has the names of all parts, and the compressor cannot make chance smaller.
      output: { codeSplitting: { groups }, chunkFileNames: "assets/[name]-[hash:7].js" },
      treeshake: { moduleSideEffects: [unused] },
    },
  },
  server: { port: 5173, proxy },
  preview: { proxy },
});
