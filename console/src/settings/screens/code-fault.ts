/** What is wrong with a typed code, before it is sent. */
import { isPairingCode, PAIRING_CODE_LENGTH, plainPairingCode } from "@comanda/contract/console/pairing-codes.ts";

/** A mistyped code is told as soon as it is complete, one that is not complete when it is sent. */
export const codeFaultOf = (written: string, isSent: boolean): "screens.codeMistyped" | "screens.codeMissing" | null => {
  const plain = plainPairingCode(written);
  if (isPairingCode(plain)) return null;
  if (plain.length >= PAIRING_CODE_LENGTH) return "screens.codeMistyped";
  return isSent ? "screens.codeMissing" : null;
};
