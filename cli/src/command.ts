/** What a command is: its words for people, its options, and what it does. */

export type Option = { type: "string" | "boolean"; about: string; value?: string };
export type Given = { values: Readonly<Record<string, string | boolean | undefined>>; words: readonly string[] };

export type Command = {
  summary: string;
  /** The arguments behind the name of the command. */
  usage: string;
  /** What it takes besides options: at least, at most. */
  words: readonly [min: number, max: number];
  options: Readonly<Record<string, Option>>;
  /** Paragraphs below the options. */
  more: readonly string[];
  run(given: Given): Promise<void>;
};

export const textOf = ({ values }: Given, name: string): string | undefined => {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
};

export const isSet = ({ values }: Given, name: string): boolean => values[name] === true;

export const TYPES_OPTION: Option = { type: "string", value: "TYPES", about: "only these types, separated by commas" };
export const JSON_OPTION: Option = { type: "boolean", about: "one JSON value on each line, for programs" };

/** Ends with the first Ctrl+C what can be ended cleanly, with the second at once. */
export const untilInterrupted = (): AbortSignal => {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return controller.signal;
};
