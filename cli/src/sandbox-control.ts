/** `comanda clock` and `comanda fault`: the clock of a sandbox, and what shall go wrong in it. */
import type { Comanda } from "@comanda/sdk";
import { type Command, type Given, isSet, JSON_OPTION, textOf } from "./command.ts";
import { CommandError, EXIT } from "./errors.ts";
import { print, printJson } from "./output.ts";
import { sayWhere } from "./sandbox-only.ts";
import { openService } from "./service.ts";

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `+2h`, or a date with time and offset. Nothing: the clock is only read. */
const readMove = (word: string | undefined): { forward_seconds?: number; to?: string } => {
  if (word === undefined) return {};
  const [, count, unit] = /^\+?(\d{1,9})([smhd])$/.exec(word) ?? [];
  if (count !== undefined && unit !== undefined) return { forward_seconds: Number(count) * SECONDS[unit as keyof typeof SECONDS] };
  if (/^\d{4}-\d{2}-\d{2}T/.test(word)) return { to: word };
  throw new CommandError(
    EXIT.usage,
    `"${word}" is neither a time such as +30m, +2h or +3d nor a date with time, such as 2027-01-31T12:00:00Z.`,
  );
};

export const clockCommand: Command = {
  summary: "read the clock of a sandbox, or move it forward",
  usage: "[+2h | MOMENT] [--json]",
  words: [0, 1],
  options: { json: JSON_OPTION },
  more: ["What becomes due happens within seconds. The nightly reset takes the clock back. Only the token of a sandbox can do this."],
  async run(given) {
    const { data } = await openService().sandbox.moveClock(readMove(given.words[0])).catch(sayWhere);
    if (isSet(given, "json")) printJson(data);
    else print(data.ahead_seconds === 0 ? data.now : `${data.now}  ${data.ahead_seconds} seconds ahead`);
  },
};

type FaultWish = Parameters<Comanda["sandbox"]["orderFaults"]>[0];

const numberOf = (given: Given, option: string): number | undefined => {
  const text = textOf(given, option);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new CommandError(EXIT.usage, `"${text}" is no number for --${option}.`);
  return Number(text);
};

/** The service says which faults there are. */
const readOrder = (given: Given): FaultWish => {
  const [fault] = given.words;
  const [count, ms, operation] = [numberOf(given, "count"), numberOf(given, "ms"), textOf(given, "operation")];
  if (fault === undefined) return {};
  return {
    fault: fault as NonNullable<FaultWish["fault"]>,
    ...(count === undefined ? {} : { count }),
    ...(ms === undefined ? {} : { duration_ms: ms }),
    ...(operation === undefined ? {} : { operation }),
  };
};

export const faultCommand: Command = {
  summary: "let answers or webhooks of a sandbox fail, or list the faults that wait",
  usage: "[FAULT] [--count N] [--operation ID] [--ms N] [--json]",
  words: [0, 1],
  options: {
    count: { type: "string", value: "N", about: "how often; once unless said otherwise" },
    operation: { type: "string", value: "ID", about: "only this operation, such as createOrder" },
    ms: { type: "string", value: "N", about: "how long, for slow, timeout, late and swapped" },
    json: JSON_OPTION,
  },
  more: [
    "Faults of answers: lose_answer, 503, 429, slow, timeout. Of webhooks: twice, swapped, late, bad_signature.",
    "Each is taken once and is gone after ten minutes. Only the token of a sandbox can do this.",
  ],
  async run(given) {
    const { data } = await openService().sandbox.orderFaults(readOrder(given)).catch(sayWhere);
    if (isSet(given, "json")) return printJson(data);
    if (data.faults.length === 0) print("No fault waits.");
    for (const { fault, operation, left } of data.faults)
      print(`${fault.padEnd(13)} ${String(left).padStart(4)}${operation === null ? "" : `  ${operation}`}`);
  },
};
