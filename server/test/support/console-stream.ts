/** A change stream of the console over a real socket: the application must listen. */
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import type { TestUser } from "./console-client.ts";
import type { TestApp } from "./test-app.ts";

export type TestStream = { status: number; text(): string; isEnded(): boolean; close(): void };

export const openStream = ({ app }: TestApp, slug: string, { cookie }: Pick<TestUser, "cookie">): Promise<TestStream> =>
  new Promise((resolve, reject) => {
    const { port } = app.http.server.address() as AddressInfo;
    const headers = { cookie: `__Host-comanda=${cookie}` };
    const call = request({ port, path: `${CONSOLE_PREFIX}/venues/${slug}/live`, headers }, (answer) => {
      let [text, isEnded] = ["", false];
      answer.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on("end", () => {
        isEnded = true;
      });
      answer.on("error", () => undefined);
      resolve({ status: answer.statusCode ?? 0, text: () => text, isEnded: () => isEnded, close: () => call.destroy() });
    });
    call.once("error", reject);
    call.end();
  });
