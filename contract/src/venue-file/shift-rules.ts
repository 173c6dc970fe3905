/** The weekday on which weeks of shifts begin, in a venue file. */
import { type Static, Type } from "typebox";
import { FIRST_WEEKDAYS } from "../console/shift-limits.ts";
import { Literals } from "../shared.ts";
import { Default, strict } from "./fields.ts";

export const ShiftRules = Type.Object(
  {
    first_weekday: Default(
      Literals(FIRST_WEEKDAYS, { description: "Shifts are planned and published by weeks that begin on this day." }),
      "monday",
    ),
  },
  strict,
);
export type ShiftRules = Static<typeof ShiftRules>;
