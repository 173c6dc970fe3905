/** The one form of the console: after its button was pressed, the first field that is wrong gets the focus, which the page finds or the server. */
import { type ComponentProps, useEffect, useRef } from "react";

const WRONG = '[aria-invalid="true"]';

/** Whether there was one. */
const focusWrongField = (form: HTMLFormElement): boolean => {
  const wrong = form.querySelector<HTMLElement>(WRONG);
  wrong?.focus({ preventScroll: true });
  wrong?.scrollIntoView({ block: "center" });
  return wrong !== null;
};

type FormProps = Omit<ComponentProps<"form">, "onSubmit" | "ref"> & { onSubmit: () => void };

/** The refusal of a save can come seconds later. The wait for it ends with the first wrong field, and with the next thing that is typed. */
export const Form = ({ onSubmit, ...props }: FormProps) => {
  const waiting = useRef<MutationObserver | null>(null);
  const stop = (): void => waiting.current?.disconnect();
  useEffect(() => () => waiting.current?.disconnect(), []);
  const wait = (form: HTMLFormElement): void => {
    stop();
    const observer = new MutationObserver(() => {
      if (focusWrongField(form)) stop();
    });
    waiting.current = observer;
    observer.observe(form, { subtree: true, childList: true, attributeFilter: ["aria-invalid"] });
    // What was wrong before this press is marked already, and changes nothing.
    setTimeout(() => {
      if (waiting.current === observer && focusWrongField(form)) stop();
    });
  };
  return (
    <form
      {...props}
      onInput={stop}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
        wait(event.currentTarget);
      }}
    />
  );
};
