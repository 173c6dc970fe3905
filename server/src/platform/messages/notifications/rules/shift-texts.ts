/** The mail with a person's shifts of a week, in English, Italian and Arabic. */
import type { Translations } from "@comanda/contract/shared.ts";
import { plainLine, plainName } from "#lib/plain-text.ts";
import type { MessageLanguage, MessageText } from "./texts.ts";

const NOTE_LENGTH_MAX = 200;

export type MailedShift = { date: string; from: string; to: string; role: string | null; note: string | null };

/** `branch` is null where the venue has one. */
export type ShiftPlan = { branch: Translations | null; weekStart: string; weekEnd: string; shifts: readonly MailedShift[] };

type PlanFacts = { person: string; place: string; from: string; to: string; lines: string };

const DAY: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" };
const FORMATTERS: Record<MessageLanguage, Intl.DateTimeFormat> = {
  en: new Intl.DateTimeFormat("en-GB", DAY),
  it: new Intl.DateTimeFormat("it", DAY),
  ar: new Intl.DateTimeFormat("ar-u-nu-latn", DAY),
};

const TEXTS: Record<MessageLanguage, (facts: PlanFacts) => MessageText> = {
  en: ({ person, place, from, to, lines }) => ({
    subject: `${place}: your shifts from ${from} to ${to}`,
    body: `Hello ${person},\n\n${lines === "" ? `you have no shifts at ${place} from ${from} to ${to}.` : `these are your shifts at ${place} from ${from} to ${to}:\n\n${lines}`}\n\nThis replaces earlier mails about this week.`,
  }),
  it: ({ person, place, from, to, lines }) => ({
    subject: `${place}: i suoi turni dal ${from} al ${to}`,
    body: `Buongiorno ${person},\n\n${lines === "" ? `non ha turni da ${place} dal ${from} al ${to}.` : `questi sono i suoi turni da ${place} dal ${from} al ${to}:\n\n${lines}`}\n\nQuesto sostituisce quanto comunicato prima per questa settimana.`,
  }),
  ar: ({ person, place, from, to, lines }) => ({
    subject: `${place}: مناوباتكم من ${from} إلى ${to}`,
    body: `مرحباً ${person}،\n\n${lines === "" ? `لا مناوبات لكم في ${place} من ${from} إلى ${to}.` : `هذه مناوباتكم في ${place} من ${from} إلى ${to}:\n\n${lines}`}\n\nيحل هذا محل ما أُبلغتم به سابقاً عن هذا الأسبوع.`,
  }),
};

const dayIn = (language: MessageLanguage, date: string): string => FORMATTERS[language].format(new Date(`${date}T00:00:00Z`));

const lineOf = (language: MessageLanguage, { date, from, to, role, note }: MailedShift): string => {
  const what = role === null ? "" : `, ${plainName(role)}`;
  return `${dayIn(language, date)}, ${from}–${to}${what}${note === null ? "" : `\n  ${plainLine(note, NOTE_LENGTH_MAX)}`}`;
};

type PlanNames = { person: string; venue: string; branch: string | null };

export const writeShiftPlan = (language: MessageLanguage, plan: ShiftPlan, { person, venue, branch }: PlanNames): MessageText =>
  TEXTS[language]({
    person: plainName(person),
    place: branch === null ? plainName(venue) : `${plainName(venue)}, ${plainName(branch)}`,
    from: dayIn(language, plan.weekStart),
    to: dayIn(language, plan.weekEnd),
    lines: plan.shifts.map((shift) => lineOf(language, shift)).join("\n"),
  });
