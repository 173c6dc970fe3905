/** What an editor shows beside a member: TypeScript's own language server, asked over stdio. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));

type LspMessage = { id?: number; method?: string; params?: unknown; result?: { contents?: { value?: string } } | null };

/** The text beside each place of a file: its line and character, both from 0. */
export const wordsAt = async (folder: string, file: string, places: [line: number, character: number][]): Promise<string[]> => {
  const server = spawn(TSC, ["--lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (message: LspMessage) => void>();
  let received = Buffer.alloc(0);
  let lastId = 0;
  const send = (message: LspMessage): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const ask = (method: string, params: unknown): Promise<LspMessage> =>
    new Promise((resolve) => {
      waiting.set(++lastId, resolve);
      send({ id: lastId, method, params });
    });
  const take = (message: LspMessage): void => {
    if (message.method === undefined) waiting.get(message.id ?? 0)?.(message);
    // The server asks for settings, of which there are none.
    else if (message.id !== undefined) send({ id: message.id, result: null });
  };
  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = /^Content-Length: (\d+)[\s\S]*?\r\n\r\n/.exec(received.subarray(0, 200).toString("latin1"));
      const end = (head?.[0].length ?? 0) + Number(head?.[1] ?? 0);
      if (!head || received.length < end) return;
      take(JSON.parse(received.subarray(head[0].length, end).toString()) as LspMessage);
      received = received.subarray(end);
    }
  });
  try {
    const uri = `file://${folder}/${file}`;
    await ask("initialize", { processId: null, rootUri: `file://${folder}`, capabilities: {} });
    send({ method: "initialized", params: {} });
    const text = readFileSync(`${folder}/${file}`, "utf8");
    send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "typescript", version: 1, text } } });
    const answers: string[] = [];
    for (const [line, character] of places) {
      const { result } = await ask("textDocument/hover", { textDocument: { uri }, position: { line, character } });
      answers.push(result?.contents?.value ?? "");
    }
    return answers;
  } finally {
    server.kill();
  }
};
