/** Checks blocks that are no programs: JSON of a named shape, and HTTP messages. */
import { createHmac } from "node:crypto";
import { type EventType, eventSchema } from "@comanda/contract/events/envelope.ts";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { strictCheck } from "../../conformance/strict-schema.ts";
import { parseVenueFile } from "../../server/src/venue/setup/venue-file/service.ts";
import type { Block } from "./blocks.ts";

const { components } = openapiDocument("http://127.0.0.1:4000");

const asShape = (name: string, value: unknown): string[] =>
  strictCheck({ $ref: `#/components/schemas/${name}`, components })(value).map((fault) => `is no ${name}: ${fault}`);

/** The word after `json` names the shape: one of the API's, or `venue` for a venue file. */
export const checkJson = ({ text, note }: Block): string[] => {
  try {
    if (note === "venue") return parseVenueFile(text) ? [] : ["is no venue file"];
    const value: unknown = JSON.parse(text);
    return note === "" ? ["does not say which shape it has"] : asShape(note, value);
  } catch (error) {
    return [(error as Error).message];
  }
};

/** A delivery of an event; the word after `http` is its signing secret. */
export const checkHttp = ({ text, note }: Block): string[] => {
  const [head = "", body = ""] = text.split("\n\n");
  const [request = "", ...lines] = head.split("\n");
  const headers = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));
  const event = JSON.parse(body) as { id: string; type: EventType };
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["Service-Signature"] ?? "") ?? [];
  const faults = strictCheck(eventSchema(event.type))(event);
  if (!/^POST \/\S+ HTTP\/1\.1$/.test(request)) faults.push("is no POST");
  if (headers["Service-Event"] !== event.type || headers["Service-Delivery"] !== event.id) faults.push("its headers name another event");
  if (createHmac("sha256", note).update(`${t}.${body.trim()}`).digest("hex") !== v1) faults.push("its signature does not match");
  return faults;
};
