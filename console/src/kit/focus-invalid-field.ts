import { type RefObject, useEffect } from "react";

/** Focuses the first invalid field after each attempt to submit. */
export const useFocusInvalidField = (form: RefObject<HTMLFormElement | null>, attempt: unknown): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attempt is what it waits for.
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus({ preventScroll: true });
    wrong?.scrollIntoView({ block: "center" });
  }, [attempt]);
};
