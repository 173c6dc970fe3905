/** A sound for each new ticket. A browser plays it only after a tap or a key. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type RingerState, readSoundState, ring, startAudio } from "#kit/ringer.ts";

/** Rings when an id appears that was not there before. What is open when the page loads makes no sound. */
const useRingForNew = (ids: readonly number[], isOn: boolean): void => {
  const known = useRef<Set<number> | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = new Set([...(before ?? []), ...ids]);
    if (isOn && before !== null && ids.some((id) => !before.has(id))) ring();
  }, [ids, isOn]);
};

export const useTicketSound = (ids: readonly number[], hasSound: boolean): { state: RingerState; arm: () => Promise<void> } => {
  const [state, setState] = useState<RingerState>(readSoundState);
  const arm = useCallback(async () => setState(await startAudio()), []);
  useRingForNew(ids, hasSound && state === "on");
  useEffect(() => {
    if (!hasSound || state !== "off") return;
    // A tap or key anywhere is enough for the browser.
    const onTap = (): void => void arm();
    for (const name of ["click", "keydown"]) window.addEventListener(name, onTap);
    return () => {
      for (const name of ["click", "keydown"]) window.removeEventListener(name, onTap);
    };
  }, [hasSound, state, arm]);
  useEffect(() => {
    if (state !== "on") return;
    // The system can stop the sound, for example after sleep.
    const timer = setInterval(() => setState(readSoundState()), 2000);
    return () => clearInterval(timer);
  }, [state]);
  return { state, arm };
};
