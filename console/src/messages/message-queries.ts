/** The state of messages: about one subject, the last one about each subject of a kind, or those that failed. */
import type { MessageSubject } from "@comanda/contract/console/messages.ts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { addEnglishTexts } from "#kit/language.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";
import { enMessages } from "./texts.en.ts";

addEnglishTexts(enMessages);

const POLL_EVERY_MS = 15_000;

export const messageKeys = (venue: string): string[][] => [["messages", venue]];

export const messagesQuery = (venue: string, question: { about?: MessageSubject; subject?: string } = {}) =>
  queryOptions({
    queryKey: ["messages", venue, question],
    queryFn: async () => (await call("listMessages", { params: { venue }, query: question })).data,
    refetchInterval: () => pollUnlessStreaming(POLL_EVERY_MS),
  });
