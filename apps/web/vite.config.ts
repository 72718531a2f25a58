import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = `http://localhost:${process.env.PORT ?? "8080"}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: "dist", emptyOutDir: true, target: "es2023", chunkSizeWarningLimit: 900 },
  server: { port: 5173, proxy: { "/cloud": { target: server, ws: true } } },
  preview: { proxy: { "/cloud": { target: server, ws: true } } },
});
