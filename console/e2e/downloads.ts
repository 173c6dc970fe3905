/** Files that a page saves. They come over the connection to the browser, which keeps them in a folder of its own. */
import { text } from "node:stream/consumers";
import type { Download } from "playwright-core";

export const textOf = async (download: Download): Promise<string> => text(await download.createReadStream());
