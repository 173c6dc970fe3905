/** Which key does what. A bump bar is a keyboard, so its keys can be learned; they are kept on the device. */
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

export type BumpAction = `bump_${(typeof DIGITS)[number]}` | (typeof OTHER_ACTIONS)[number];

const OTHER_ACTIONS = ["bump", "recall", "next", "previous", "left", "right", "page_next", "page_previous"] as const;

export const BUMP_ACTIONS: readonly BumpAction[] = [...OTHER_ACTIONS, ...DIGITS.map((digit) => `bump_${digit}` as const)];

/** The place on the keyboard of each action. Null: it has lost its key to another action. */
export type KeyBindings = Record<BumpAction, string | null>;

export const DEFAULT_BINDINGS: KeyBindings = {
  bump: "Enter",
  recall: "Backspace",
  next: "ArrowDown",
  previous: "ArrowUp",
  left: "ArrowLeft",
  right: "ArrowRight",
  page_next: "PageDown",
  page_previous: "PageUp",
  ...(Object.fromEntries(DIGITS.map((digit) => [`bump_${digit}`, `Digit${digit}`])) as Record<`bump_${(typeof DIGITS)[number]}`, string>),
};

/** A number pad sends the same digits from other places. */
const sameKey = (code: string): string => code.replace(/^Numpad(?=\d$)/, "Digit").replace(/^NumpadEnter$/, "Enter");

export const actionOfKey = (bindings: KeyBindings, code: string): BumpAction | null =>
  BUMP_ACTIONS.find((action) => bindings[action] === code) ?? BUMP_ACTIONS.find((action) => bindings[action] === sameKey(code)) ?? null;

/** Keys that a page needs for itself. */
const REFUSED: readonly string[] = ["Escape", "Tab", "ContextMenu", ""];

export const canLearn = (code: string): boolean => !REFUSED.includes(code) && !/^(?:Shift|Control|Alt|Meta)(?:Left|Right)?$/.test(code);

/** A key has one action: another action that had it loses it. */
export const learnKey = (bindings: KeyBindings, action: BumpAction, code: string): KeyBindings => {
  if (!canLearn(code)) return bindings;
  const others = Object.entries(bindings).map(([name, known]) => [name, known === code ? null : known]);
  return { ...(Object.fromEntries(others) as KeyBindings), [action]: code };
};

export const placeOf = (action: BumpAction): number | null => {
  const digit = /^bump_(\d)$/.exec(action)?.[1];
  return digit === undefined ? null : Number(digit) - 1;
};

export const writeBindings = (bindings: KeyBindings): string => JSON.stringify(bindings);

/** What is stored may be from another build, or written by hand. */
export const readBindings = (stored: string | null): KeyBindings => {
  try {
    const given = JSON.parse(stored ?? "{}") as Partial<Record<string, unknown>>;
    const read = (action: BumpAction): string | null => {
      const code = given[action];
      return code === null || typeof code === "string" ? code : DEFAULT_BINDINGS[action];
    };
    return Object.fromEntries(BUMP_ACTIONS.map((action) => [action, read(action)])) as KeyBindings;
  } catch {
    return DEFAULT_BINDINGS;
  }
};

/** Returns the label that is printed on the key. */
export const keyLabel = (code: string): string => {
  const arrows: Record<string, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
  return arrows[code] ?? code.replace(/^(?:Digit|Key)(?=.$)/, "");
};
