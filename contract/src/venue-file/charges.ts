/** Taxes, service charge and promotions in a venue file. */
import { type Static, Type } from "typebox";
import { Literals, Minor, Nullable } from "../shared.ts";
import { ORDER_TYPES } from "../venue/orders.ts";
import { Default, Key, Name, Percent, strict, Text } from "./fields.ts";
import { Hours } from "./opening-hours.ts";

const Tax = Type.Object(
  { key: Key, name: Text(60), rate: Percent, inclusive: Type.Boolean(), is_default: Default(Type.Boolean(), false) },
  strict,
);

const Promotion = Type.Object(
  {
    key: Key,
    name: Name,
    is_active: Default(Type.Boolean(), true),
    hours: Default(Nullable(Hours), null),
    types: Default(Type.Array(Literals(ORDER_TYPES), { minItems: 1, maxItems: ORDER_TYPES.length, uniqueItems: true }), ORDER_TYPES),
    subtotal_min_minor: Default(Minor, 0),
    percent_off: Default(Nullable(Percent), null),
    amount_off_minor: Default(Nullable(Minor), null),
  },
  strict,
);

const ServiceCharge = Type.Object(
  {
    percent: Percent,
    types: Default(Type.Array(Literals(ORDER_TYPES), { maxItems: ORDER_TYPES.length, uniqueItems: true }), ["dine_in"]),
    tax: Default(Nullable(Key), null),
  },
  strict,
);

export const Charges = Type.Object(
  {
    taxes: Default(Type.Array(Tax, { maxItems: 20 }), []),
    service_charge: Default(Nullable(ServiceCharge), null),
    delivery_fee_tax: Default(Nullable(Key), null),
    promotions: Default(
      Type.Array(Promotion, { maxItems: 100, description: "Discounts that apply by themselves; the largest one wins." }),
      [],
    ),
  },
  strict,
);
export type Charges = Static<typeof Charges>;
