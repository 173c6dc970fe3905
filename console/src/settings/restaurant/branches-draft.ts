/** The branches while their names, addresses and order are changed. Hours and closing days are of another page and stay as they are. */
import type { VenueBranch, WantedBranch } from "@comanda/contract/console/venue-settings.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { OFFERED_LANGUAGES } from "#kit/code-names.ts";
import type { MergeBranches } from "../venue-settings/save-branches.ts";
import { wantedOf } from "../venue-settings/save-branches.ts";

/** Languages in which names are written. */

export const NAME_LENGTH_MAX = 255;

/** The offered languages and the known ones. */
export const withLanguages = (known: readonly string[]): string[] => [...new Set([...known, ...OFFERED_LANGUAGES])].sort();

/** The main language first, then those in which a name is written. */
export const languagesOfNames = (main: string, names: readonly Translations[], added: readonly string[]): string[] => {
  const written = names.flatMap((name) => Object.entries(name).flatMap(([code, text]) => (text === null ? [] : [code])));
  return [...new Set([main, ...written.sort(), ...added])];
};

/** A new one has a key of its own until it is saved. A removed one stays until then, so that it can be kept. */
export type BranchCard = Pick<VenueBranch, "key" | "name" | "address" | "is_default"> & { isNew: boolean; isRemoved: boolean };

export const BRANCHES_MAX = 200;

export const cardsOf = (branches: readonly VenueBranch[]): BranchCard[] =>
  branches.map(({ key, name, address, is_default }) => ({ key, name, address, is_default, isNew: false, isRemoved: false }));

export const isSameCards = (one: readonly BranchCard[], other: readonly BranchCard[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const addCard = (cards: readonly BranchCard[], newKey: string): BranchCard[] => [
  ...cards,
  { key: newKey, name: {}, address: null, is_default: false, isNew: true, isRemoved: false },
];

export const changeCard = (cards: readonly BranchCard[], key: string, part: Partial<BranchCard>): BranchCard[] =>
  cards.map((card) => (card.key === key ? { ...card, ...part } : card));

export const removeCard = (cards: readonly BranchCard[], key: string): BranchCard[] =>
  changeCard(cards, key, { isRemoved: true }).filter(({ isNew, isRemoved }) => !(isNew && isRemoved));

export const makeDefault = (cards: readonly BranchCard[], key: string): BranchCard[] =>
  cards.map((card) => ({ ...card, is_default: card.key === key }));

export const moveUp = (cards: readonly BranchCard[], key: string): BranchCard[] => {
  const at = cards.findIndex((card) => card.key === key);
  const [card, before] = [cards[at], cards[at - 1]];
  return card && before ? cards.with(at - 1, card).with(at, before) : [...cards];
};

export const hasName = ({ name }: Pick<BranchCard, "name">): boolean => Object.values(name).some((text) => Boolean(text?.trim()));

/** Cards are in the order in which they are saved. */
export const keptCards = (cards: readonly BranchCard[]): BranchCard[] => cards.filter(({ isRemoved }) => !isRemoved);

const addressOf = ({ address }: BranchCard): string | null => (address?.trim() ? address.trim() : null);

/** A new branch begins with the hours of the default one. */
export const mergeCards =
  (cards: readonly BranchCard[], begun: readonly BranchCard[]): MergeBranches =>
  (present) => {
    if (!isSameCards(cardsOf(present), begun)) return null;
    const stored = new Map(present.map((branch) => [branch.key, branch]));
    const hours = present.find(({ is_default }) => is_default)?.hours ?? null;
    return keptCards(cards).map((card): WantedBranch => {
      const own = { name: card.name, address: addressOf(card), is_default: card.is_default };
      const known = stored.get(card.key);
      return known ? { ...wantedOf(known), ...own } : { key: null, ...own, hours, closing_days: [] };
    });
  };
