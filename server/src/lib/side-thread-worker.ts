/** The second thread of `side-thread.ts`: imports the module that it is asked for, and calls the function. */
import { parentPort } from "node:worker_threads";
import { errorText } from "./described-error.ts";
import type { AsideAnswer } from "./side-thread.ts";

type Asked = { module: string; name: string; argument: unknown };

const answerTo = async ({ module, name, argument }: Asked): Promise<AsideAnswer> => {
  try {
    const functions = (await import(module)) as Record<string, (argument: unknown) => unknown>;
    return { value: functions[name]?.(argument) };
  } catch (error) {
    return { fault: errorText(error) };
  }
};

parentPort?.on("message", (asked: Asked) => void answerTo(asked).then((answer) => parentPort?.postMessage(answer)));
