/** Where an order came from: a marketplace brings its own name. */
import type { TFunction } from "i18next";

const CHANNELS = ["web", "phone", "whatsapp", "pos", "qr", "kiosk"] as const;

export const channelName = (t: TFunction, channel: string): string => {
  const known = CHANNELS.find((one) => one === channel);
  return known === undefined ? channel : t(`channels.${known}`);
};
