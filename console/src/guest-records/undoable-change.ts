/** The last change of a profile. It can be undone until the page is left. */
export type UndoableChange = { message: string; undo: () => void };
