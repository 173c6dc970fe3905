/** Writes a .br and a .gz beside every text that the build made, so that serving them costs nothing. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

// 11 would take ten times as long for one part in thirty.
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const TEXTS = /\.(?:js|css|svg|json)$/;

export const compress = (): Plugin => ({
  name: "comanda-compress",
  apply: "build",
  writeBundle({ dir = "" }) {
    for (const path of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
      if (!TEXTS.test(path) || path.startsWith(".vite")) continue;
      const bytes = readFileSync(join(dir, path));
      writeFileSync(join(dir, `${path}.br`), brotliCompressSync(bytes, QUALITY));
      writeFileSync(join(dir, `${path}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});
