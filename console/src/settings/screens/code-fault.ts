/** What is wrong with a typed code, before it is sent. */
import { isPairingCode, PAIRING_CODE_LENGTH, plainPairingCode } from "@comanda/contract/console/pairing-codes.ts";

/** A mistyped code is reported as soon as it is complete, an incomplete one when it is sent. */
export const codeFaultOf = (written: string, isSent: boolean): "screens.codeMistyped" | "screens.codeMissing" | null => {
  const plain = plainPairingCode(written);
  if (isPairingCode(plain)) return null;
  if (plain.length >= PAIRING_CODE_LENGTH) return "screens.codeMistyped";
  return isSent ? "screens.codeMissing" : null;
};
