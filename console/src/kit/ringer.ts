/** The sound of new orders. A browser plays it only after a tap, so it is armed once on each page. */
import { useCallback, useEffect, useState } from "react";
import { readStored, writeStored } from "./stored.ts";

const STORAGE_KEY = "comanda.orders.sound";
const RING_EVERY_MS = 4000;
const TONES_HZ = [880, 659];
const TONE_SECONDS = 0.22;

export type RingerState = "off" | "on" | "unavailable";

let audio: AudioContext | null = null;

const playTone = (context: AudioContext, hertz: number, from: number): void => {
  const [oscillator, volume] = [context.createOscillator(), context.createGain()];
  oscillator.frequency.value = hertz;
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(0.5, from + 0.02);
  volume.gain.linearRampToValueAtTime(0, from + TONE_SECONDS);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + TONE_SECONDS);
};

export const ring = (): void => {
  const context = audio;
  if (context?.state !== "running") return;
  for (const [place, hertz] of TONES_HZ.entries()) playTone(context, hertz, context.currentTime + place * TONE_SECONDS);
};

export const readSoundState = (): RingerState =>
  typeof AudioContext === "undefined" ? "unavailable" : audio?.state === "running" ? "on" : "off";

/** Must be called in the handler of a tap or key. */
export const startAudio = async (): Promise<RingerState> => {
  try {
    audio ??= new AudioContext();
    await audio.resume();
    return readSoundState();
  } catch {
    return "unavailable";
  }
};

/** Rings every few seconds while an order waits. Says `off` when the system has stopped the sound. */
export const useRinger = (isWaiting: boolean) => {
  const [state, setState] = useState<RingerState>(readSoundState);
  const arm = useCallback(async () => {
    writeStored(STORAGE_KEY, "on");
    setState(await startAudio());
    ring();
  }, []);
  const disarm = useCallback(async () => {
    writeStored(STORAGE_KEY, "off");
    await audio?.suspend();
    setState(readSoundState());
  }, []);
  useEffect(() => {
    if (state !== "off" || readStored(STORAGE_KEY) !== "on") return;
    // The person wants sound on this device: the first tap or key anywhere arms it. The button itself does that on its own.
    const onTap = ({ target }: Event): void => {
      if (!(target instanceof Element && target.closest(".sound-button"))) void arm();
    };
    for (const name of ["click", "keydown"]) window.addEventListener(name, onTap);
    return () => {
      for (const name of ["click", "keydown"]) window.removeEventListener(name, onTap);
    };
  }, [state, arm]);
  useEffect(() => {
    const context = audio;
    if (state !== "on" || !context) return;
    const onChange = (): void => setState(readSoundState());
    context.addEventListener("statechange", onChange);
    return () => context.removeEventListener("statechange", onChange);
  }, [state]);
  useEffect(() => {
    if (state !== "on" || !isWaiting) return;
    ring();
    const timer = setInterval(ring, RING_EVERY_MS);
    return () => clearInterval(timer);
  }, [state, isWaiting]);
  return { state, arm, disarm };
};
