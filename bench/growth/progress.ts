/** One line that says how far it is, how fast, and how long it still takes; on a terminal it is written over itself. */
const EVERY_MS = 500;
const EVERY_MS_IN_A_LOG = 15_000;
const BAR = 24;

export type Progress = { at(done: number): void; end(note?: string): void };

const duration = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`;

/** `already` was done by an earlier run, and says nothing of today's speed. */
export const showProgress = (name: string, total: number, already = 0): Progress => {
  const startedAt = performance.now();
  const isTerminal = process.stdout.isTTY;
  let shownAt = startedAt;
  const line = (done: number): string => {
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = (done - already) / Math.max(seconds, 0.001);
    const share = total === 0 ? 1 : done / total;
    const filled = Math.round(share * BAR);
    const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : "";
    return `${name.padEnd(12)} [${"#".repeat(filled)}${".".repeat(BAR - filled)}] ${(share * 100).toFixed(0).padStart(3)} %  ${Math.round(rate)}/s${done < total ? left : `, ${duration(seconds)}`}`;
  };
  return {
    at(done) {
      const now = performance.now();
      if (now - shownAt < (isTerminal ? EVERY_MS : EVERY_MS_IN_A_LOG)) return;
      shownAt = now;
      process.stdout.write(isTerminal ? `\r\u001b[K${line(done)}` : `${line(done)}\n`);
    },
    end(note = "") {
      process.stdout.write(`${isTerminal ? "\r\u001b[K" : ""}${line(total)}${note && `  ${note}`}\n`);
    },
  };
};
