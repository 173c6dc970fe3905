/** Whether guests are asked to rate their order or their visit, in a venue file. */
import { type Static, Type } from "typebox";
import { Default, strict } from "./fields.ts";

export const ReviewRules = Type.Object(
  {
    is_on: Default(Type.Boolean({ description: "Guests are asked only while this is true. A sandbox asks none." }), false),
    wait_minutes: Default(
      Type.Integer({ minimum: 0, maximum: 1440, description: "From the end of the order or the visit to the message." }),
      60,
    ),
  },
  strict,
);
export type ReviewRules = Static<typeof ReviewRules>;
