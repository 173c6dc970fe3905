/** Codes that a device shows until a manager types them: seven random characters and one that shows mistypings, in two groups of four. */
import { latinDigits } from "../digits.ts";
import { checkedCodeOf, isCheckedCode, plainCode } from "./checked-codes.ts";

const RANDOM_LENGTH = 7;

export const PAIRING_CODE_LENGTH = RANDOM_LENGTH + 1;

export const drawPairingCode = (bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))): string => checkedCodeOf(bytes);

/** The digits of Arabic and Persian keyboards are read too. */
export const plainPairingCode = (written: string): string => plainCode(latinDigits(written));

/** Whether a code, as `plainPairingCode` returns it, can be one. */
export const isPairingCode = (plain: string): boolean => isCheckedCode(plain, PAIRING_CODE_LENGTH);
