import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { assetFileNames, chunkFileNames, chunkGroups } from "./build/chunks.ts";
import { compress } from "./build/compress.ts";
import { contractTables } from "./build/contract-tables.ts";
import { serviceWorker } from "./build/service-worker.ts";

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [contractTables(), react(), serviceWorker(), compress()],
  // The server inserts a new nonce into every page (server/src/http/console/static-files.ts).
  html: { cspNonce: "__NONCE__" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    // Inlines no data: URLs: the content security policy blocks them for fonts.
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: chunkGroups }, chunkFileNames, assetFileNames },
    },
  },
  server: {
    port: 4100,
    proxy: { "/console/api": { target: "http://127.0.0.1:4000", changeOrigin: false } },
  },
});
