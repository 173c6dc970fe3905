/** When and for how many a table may be booked, in a venue file. */
import { type Static, Type } from "typebox";
import { Literals, Minor, Nullable } from "../shared.ts";
import { Days, Default, strict } from "./fields.ts";
import { Hours } from "./opening-hours.ts";

const PartySize = Type.Integer({ minimum: 1, maximum: 500 });

export const BookingRules = Type.Object(
  {
    slot_minutes: Default(Type.Integer({ minimum: 5, maximum: 240 }), 30),
    turn_times: Default(
      Type.Array(
        Type.Object({ party_size_max: Default(Nullable(PartySize), null), minutes: Type.Integer({ minimum: 15, maximum: 720 }) }, strict),
        { minItems: 1, maxItems: 20, description: "First row whose `party_size_max` fits; null fits any party." },
      ),
      [{ party_size_max: null, minutes: 90 }],
    ),
    service_periods: Default(Nullable(Hours), null),
    party_size_max: Default(PartySize, 20),
    lead_minutes: Default(Type.Integer({ minimum: 0, maximum: 43_200 }), 0),
    horizon_days: Default(Days(730), 365),
    allow_overbooking: Default(Type.Boolean(), false),
    waiting_list: Default(Type.Boolean(), false),
    guarantee: Default(
      Nullable(
        Type.Object(
          {
            type: Literals(["deposit", "card"]),
            amount_minor: Minor,
            per_person: Default(Type.Boolean(), false),
            party_size_min: Default(PartySize, 1),
            hours: Default(Nullable(Hours), null),
          },
          strict,
        ),
      ),
      null,
    ),
  },
  strict,
);
export type BookingRules = Static<typeof BookingRules>;
