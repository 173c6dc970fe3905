/**
 * Which key a write has. Until an answer came, the same content is sent again as it was, with its key: the server then does it once. Other
 * content has a new key, and still names the state that the first try saw: if that one arrived, the server refuses this one.
 */
import { newKey } from "./new-key.ts";

/** A call and what it sends. */
export type WriteContent = { id: string; params?: Record<string, string | number>; body?: unknown };
export type Try = { content: WriteContent; idempotencyKey: string };

/** Members of a body that name what the page showed. They change with the page, so they are not what the person chose. */
const isSeen = (name: string): boolean => name === "seen" || name.startsWith("seen_");

type BodyMembers = Record<string, unknown>;
const membersOf = (body: unknown, isWanted: (name: string) => boolean): BodyMembers =>
  Object.fromEntries(Object.entries((body ?? {}) as BodyMembers).filter(([name]) => isWanted(name)));

export type Tries = {
  begin(wanted: WriteContent): Try;
  /** No answer came, after all repetitions: the time for a further press begins. */
  wait(content: WriteContent): void;
  /** An answer came. */
  end(content: WriteContent): void;
};

/**
 * How long after a lost answer a press of the same content is taken for a repetition. A later one is a new wish, such as the pause of this evening
 * after that of noon. A write that names a state names the one that the first try saw, so the server refuses it if that one arrived; the server
 * could not refuse one that names none, so it stays a repetition for longer.
 */
const REPETITION_MS_MAX = { ofNamedState: 60_000, ofNone: 600_000 };

type OpenTry = Try & { chosen: string; seen: BodyMembers; lastAt: number };

/** The member may be inside of a list or another member. */
const namesState = (body: unknown): boolean => /"seen(_\w+)?":/.test(JSON.stringify(body ?? {}));

/** The parameters name no thing inside the venue, and the body no state: what is written is known by its whole content only. */
const isKnownByContent = ({ params = {}, body }: WriteContent): boolean =>
  Object.keys(params).every((name) => name === "venue") && !namesState(body);

export const createTries = (makeKey: () => string = newKey, now: () => number = Date.now): Tries => {
  /** The key is the subject: a page may have several writes under way. */
  const unanswered = new Map<string, readonly OpenTry[]>();
  const subjectOf = ({ params }: WriteContent): string => JSON.stringify(params);
  const readOpen = (content: WriteContent): readonly OpenTry[] => unanswered.get(subjectOf(content)) ?? [];
  return {
    begin(wanted) {
      const chosen = JSON.stringify(membersOf(wanted.body, (name) => !isSeen(name)));
      const isSame = (one: OpenTry): boolean => one.content.id === wanted.id && (one.chosen === chosen || !isKnownByContent(wanted));
      const open = readOpen(wanted);
      const last = open.find(isSame);
      const seen = last?.seen ?? membersOf(wanted.body, isSeen);
      const msMax = Object.keys(seen).length > 0 ? REPETITION_MS_MAX.ofNamedState : REPETITION_MS_MAX.ofNone;
      if (last?.chosen === chosen && now() - last.lastAt <= msMax) return last;
      const content = wanted.body === undefined ? wanted : { ...wanted, body: { ...(wanted.body as BodyMembers), ...seen } };
      const begun = { content, idempotencyKey: makeKey(), chosen, seen, lastAt: now() };
      unanswered.set(subjectOf(wanted), [...open.filter((one) => !isSame(one)), begun]);
      return begun;
    },
    wait(content) {
      const last = readOpen(content).find((one) => one.content === content);
      if (last) last.lastAt = now();
    },
    /**
     * What else was not answered for this subject is over as well: the page has its present state. The same call with other content is about
     * another thing where nothing else says what it is about.
     */
    end(content) {
      const others = readOpen(content).filter((one) => one.content.id === content.id && one.content !== content);
      unanswered.set(subjectOf(content), isKnownByContent(content) ? others : []);
    },
  };
};
