/** Finds cards by their codes. Only keyed hashes of codes are stored, and the key belongs to the venue. */
import { createHmac, randomBytes } from "node:crypto";
import { isGiftCardCode, plainGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, validationError } from "#lib/errors.ts";
import { presentCard } from "../present.ts";
import { last4Of } from "../rules.ts";
import { type CardRow, findCardByHash, findKey, insertKey, lockCardByHash } from "../store.ts";

const KEY_BYTES = 32;

const hashOf = (key: Buffer, plainCode: string): Buffer => createHmac("sha256", key).update(plainCode).digest();

/** A mistyped code, an unknown one and that of another venue get the same answer. */
const unknownCode = (): ApiError => validationError({ code: ["No gift card has this code."] });

const readOrMakeKey = async (ctx: Ctx): Promise<Buffer> => {
  const known = await findKey(ctx);
  if (known) return known.key;
  await insertKey(ctx, randomBytes(KEY_BYTES));
  const { key } = (await findKey(ctx)) ?? {};
  if (!key) throw new Error("The key of a venue's codes was not found after it was made");
  return key;
};

/** Reads the code that a card gets. */
export const readNewCode = async (ctx: Ctx, written: string): Promise<{ hash: Buffer; last4: string }> => {
  const plain = plainGiftCardCode(written);
  if (!isGiftCardCode(plain)) throw validationError({ code: ["This is no code of a gift card."] });
  return { hash: hashOf(await readOrMakeKey(ctx), plain), last4: last4Of(plain) };
};

export const codeTaken = (): ApiError => validationError({ code: ["Another gift card has this code."] });

/** A mistyped code is looked for like any other, so that it takes as long. */
const hashOfWritten = async (ctx: Ctx, written: string): Promise<Buffer> =>
  hashOf((await findKey(ctx))?.key ?? randomBytes(KEY_BYTES), plainGiftCardCode(written));

export const lookUpCard = async (ctx: Ctx, written: string): Promise<GiftCardState> => {
  const card = await findCardByHash(ctx, await hashOfWritten(ctx, written));
  if (!card) throw unknownCode();
  return presentCard(card);
};

export const lockCardByCode = async (ctx: Ctx, written: string): Promise<CardRow> => {
  const card = await lockCardByHash(ctx, await hashOfWritten(ctx, written));
  if (!card) throw unknownCode();
  return card;
};
