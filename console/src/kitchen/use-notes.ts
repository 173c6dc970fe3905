/** Short messages to the cooks. They go by themselves. */
import { useCallback, useState } from "react";

export type KitchenNote = { id: number; text: string };

const SHOWN_MS = 12_000;
const NOTES_MAX = 3;

let made = 0;

export const useNotes = () => {
  const [notes, setNotes] = useState<readonly KitchenNote[]>([]);
  const remove = useCallback((id: number) => setNotes((all) => all.filter((note) => note.id !== id)), []);
  const add = useCallback(
    (text: string) => {
      made += 1;
      const note = { id: made, text };
      setNotes((all) => [...all.slice(-(NOTES_MAX - 1)), note]);
      setTimeout(() => remove(note.id), SHOWN_MS);
    },
    [remove],
  );
  return { notes, add, remove };
};
