/** What this screen keeps for a time without a connection: changes that wait, and the last kitchen. Nothing stays longer than twelve hours. */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { MoveStorage } from "#offline/move-list.ts";
import { isTooOld } from "#offline/queued-moves.ts";
import { type KitchenState, NOTHING_MISSING } from "./kitchen-state.ts";
import type { QueuedChange } from "./ticket-changes.ts";

const NAME = "comanda-kitchen";
const VERSION = 1;

type KitchenCopy = { at: number; kitchen: KitchenState };
type AddedLater = "branches" | "missing";
type KeptKitchen = { at: number; kitchen: Omit<KitchenState, AddedLater> & Partial<Pick<KitchenState, AddedLater>> };

interface KitchenSchema extends DBSchema {
  changes: { key: string; value: QueuedChange };
  /** One row, under "last". */
  kitchens: { key: string; value: KeptKitchen };
}
type KitchenDatabase = IDBPDatabase<KitchenSchema>;

let opened: Promise<KitchenDatabase> | undefined;

/** A browser that neither opens nor refuses must not hold up the page. */
const OPEN_MS_MAX = 2000;

const refuseLater = (): Promise<never> =>
  new Promise((_resolve, reject) => setTimeout(() => reject(new Error("The browser's database does not open.")), OPEN_MS_MAX));

const openOnce = (): Promise<KitchenDatabase> =>
  openDB<KitchenSchema>(NAME, VERSION, {
    upgrade(database) {
      database.createObjectStore("changes", { keyPath: "key" });
      database.createObjectStore("kitchens");
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    terminated: () => {
      opened = undefined;
    },
  });

/** A database that could not be opened is tried again at the next use. */
const open = (): Promise<KitchenDatabase> => {
  opened ??= Promise.race([openOnce(), refuseLater()]);
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
};

export const changeStorage: MoveStorage<QueuedChange> = {
  list: async (screen) => (await (await open()).getAll("changes")).filter(({ screenId }) => screenId === screen),
  add: async (change) => void (await (await open()).put("changes", change)),
  async remove(keys) {
    const { store, done } = (await open()).transaction("changes", "readwrite");
    await Promise.all([...keys.map((key) => store.delete(key)), done]);
  },
};

export const saveKitchen = async (copy: KitchenCopy): Promise<void> => void (await (await open()).put("kitchens", copy, "last"));

export const readKitchenCopy = async (now: number): Promise<KitchenCopy | null> => {
  const copy = await (await open()).get("kitchens", "last");
  if (copy && isTooOld(copy.at, now)) await (await open()).delete("kitchens", "last");
  if (!copy || isTooOld(copy.at, now)) return null;
  // A copy of an earlier version lacks what was added later.
  return { ...copy, kitchen: { branches: [], missing: NOTHING_MISSING, ...copy.kitchen } };
};

/** Runs after the screen was ended. */
export const deleteKitchen = async (): Promise<void> => {
  const transaction = (await open()).transaction(["changes", "kitchens"], "readwrite");
  await Promise.all([transaction.objectStore("changes").clear(), transaction.objectStore("kitchens").clear(), transaction.done]);
};
