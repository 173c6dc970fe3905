/**
 * The ids of the sample that every sandbox is opened with. They are the same in all sandboxes, so that a request in the reference can be
 * sent as it stands with any sandbox's token.
 */

/** Rows of each kind are numbered from here, in the sample's order. Sequences begin at 1024, so no live restaurant ever has such an id. */
export const SANDBOX_ID_FIRST = 101;
export const SANDBOX_ORDER_ID = "00000000-0000-7000-8000-000000000101";
export const SANDBOX_RESERVATION_ID = "00000000-0000-7000-8000-000000000102";
/** Chicken with rice: it has one size and no options. */
export const SANDBOX_DISH_ID = 103;
/** The plum cake, which is sold out. */
export const SANDBOX_SOLD_OUT_ID = 107;
/** The code of the gift card in every sandbox. */
export const SANDBOX_GIFT_CARD_CODE = "TEST-CARD-0000-0000-000G";
