/** What may be ordered and where it is delivered, in a venue file. */
import { type Static, Type } from "typebox";
import { Literals, Minor, Nullable } from "../shared.ts";
import { ORDER_TYPES } from "../venue/orders.ts";
import { Days, Default, strict, Text } from "./fields.ts";

/** These times count when the owner has set nothing. */
export const PREPARATION_MINUTES = { dine_in: 15, pickup: 20, delivery: 40 } as const;

export const OrderingRules = Type.Object(
  {
    types: Default(
      Type.Array(
        Type.Object(
          {
            type: Literals(ORDER_TYPES),
            minimum_minor: Default(Minor, 0),
            preparation_minutes: Type.Optional(
              Type.Integer({ minimum: 0, maximum: 600, description: "From placing to the guest; without it 15, 20 or 40 by type." }),
            ),
          },
          strict,
        ),
        { maxItems: 3, description: "The order types offered, each with its minimum and its preparation time." },
      ),
      ORDER_TYPES.map((type) => ({ type, minimum_minor: 0 })),
    ),
    schedule_days_max: Default(Days(730), 365),
    delivery_fee_minor: Default(Minor, 0),
    delivery_zones: Default(
      Type.Array(
        Type.Object(
          {
            name: Text(120),
            cities: Type.Array(Text(120), { minItems: 1, maxItems: 500 }),
            fee_minor: Minor,
            minimum_minor: Default(Nullable(Minor), null),
          },
          strict,
        ),
        { maxItems: 200, description: "No zones: everywhere, at the flat fee. A zone without a minimum takes the one for delivery." },
      ),
      [],
    ),
  },
  strict,
);
export type OrderingRules = Static<typeof OrderingRules>;
