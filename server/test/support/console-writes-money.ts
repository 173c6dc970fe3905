/** Valid writes for gift cards and for what guests write about their visit. */
import { drawGiftCardCode, formatGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";
import { postReview, sentLink, switchReviewsOn } from "./review-links.ts";

export const newCode = (): string => formatGiftCardCode(drawGiftCardCode());
const newCard = () => ({ code: newCode(), amount_minor: 9000, expires_on: null, guest_id: null, message: null });

export const soldCard = async ({ done }: WritesWorld): Promise<GiftCardState & { code: string }> => {
  const body = { ...newCard(), method: "cash" };
  return { ...(await done("POST", "/gift-cards", body)), code: body.code };
};

const reviewed = async ({ app, lab, order, move }: WritesWorld): Promise<number> => {
  const placed = await order();
  await move(placed, "accepted", "ready", "completed");
  await switchReviewsOn(app, lab);
  const { statusCode } = await postReview(app, await sentLink(app, lab, { order: placed }), { rating: "4", comment: "Good soup" });
  if (statusCode >= 400) throw new Error(`The review was refused with ${statusCode}`);
  const [review] = await app.database.asOwner<{ id: string }>("select id from reviews where order_id = $1", [placed]);
  return Number(review?.id);
};

type MoneyCalls =
  | "sellGiftCard"
  | "giveGiftCard"
  | "setGiftCardStatus"
  | "adjustGiftCard"
  | "replaceGiftCardCode"
  | "saveReviewRules"
  | "replyToReview";

export const moneyScenarios: Scenarios<MoneyCalls> = {
  sellGiftCard: async () => ({ body: { ...newCard(), method: "cash" } }),
  giveGiftCard: async () => ({ body: { ...newCard(), reason: "a long wait" } }),
  setGiftCardStatus: async (world) => {
    const { id, status } = await soldCard(world);
    return { params: { id }, body: { seen_status: status, status: "frozen", reason: "lost" } };
  },
  adjustGiftCard: async (world) => {
    const { id, balance_minor } = await soldCard(world);
    return { params: { id }, body: { seen_balance_minor: balance_minor, amount_minor: -100, reason: "mistyped" } };
  },
  replaceGiftCardCode: async (world) => {
    const { id, code_last4 } = await soldCard(world);
    return { params: { id }, body: { seen_last4: code_last4, code: newCode() } };
  },
  saveReviewRules: async ({ cafe, cafeOwner }) => {
    const { rules } = (await cafeOwner.call("GET", `/venues/${cafe.slug}/review-desk`)).body.data;
    return {
      params: { venue: cafe.slug },
      body: { seen: rules, rules: { is_on: !rules.is_on, wait_minutes: 90 } },
      by: { cookie: cafeOwner.cookie },
    };
  },
  replyToReview: async (world) => ({ params: { id: await reviewed(world) }, body: { seen_replied_at: null, reply: "Thank you." } }),
};
