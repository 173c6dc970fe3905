/** The position in the changes of a venue that a page sends back with its next reading. */

/** Changes without an event are kept for two days. A page that slept longer than this reads everything. */
const POSITION_MS_MAX = 24 * 60 * 60 * 1000;
/** Reading everything is cheaper than this many changes. */
const CHANGES_MAX = 500;

export type PagePosition = { epoch: string; number: number; at: Date };

export const formatPosition = ({ epoch, number, at }: PagePosition): string => `${epoch}.${number}.${at.getTime()}`;

/** Null for a text that is no position. */
export const parsePosition = (text: string): PagePosition | null => {
  const [, epoch = "", number, at] = /^([0-9-]{1,40})\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return number === undefined ? null : { epoch, number: Number(number), at: new Date(Number(at)) };
};

/** Whether the changes after `known` can be listed one by one. */
export const canContinue = (known: PagePosition, present: PagePosition): boolean =>
  known.epoch === present.epoch &&
  known.number <= present.number &&
  present.number - known.number <= CHANGES_MAX &&
  present.at.getTime() - known.at.getTime() < POSITION_MS_MAX;
