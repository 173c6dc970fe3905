import { type RefObject, useEffect } from "react";

/** After each attempt to submit: the first field that is marked wrong gets the focus and is scrolled into view. */
export const useFocusFault = (form: RefObject<HTMLFormElement | null>, attempt: unknown): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attempt is what it waits for.
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus({ preventScroll: true });
    wrong?.scrollIntoView({ block: "center" });
  }, [attempt]);
};
