/** The element of an order's card. */
export const cardId = (orderId: string): string => `order-${orderId}`;
