/** Weekly hours as a venue file writes them. */
import { type Static, Type } from "typebox";
import { Literals } from "../shared.ts";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const Hours = Type.Array(
  Type.Object(
    {
      days: Type.Array(Literals(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true }),
      from: Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }),
      to: Type.String({ pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$" }),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: 50,
    description:
      "Weekly spans on the branch's clock. A `to` at or before `from` is on the next day. An empty list is never; null is always.",
  },
);
export type Hours = Static<typeof Hours>;
