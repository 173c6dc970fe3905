/** Units of ingredients, and what happens to them when an order is taken back. Plain data, no schema. */
export const STOCK_UNITS = ["kg", "g", "l", "ml", "piece", "bottle", "can", "pack", "portion"] as const;
export type StockUnit = (typeof STOCK_UNITS)[number];

/** What may happen to the ingredients of an order that the kitchen has begun. */
export const STOCK_CHOICES = ["back", "waste"] as const;
export type StockChoice = (typeof STOCK_CHOICES)[number];
