/** Experiences in a venue file. Their sessions and bookings are no part of it: they are what happens in the venue. */
import { type Static, Type } from "typebox";
import { MinorWithin, Nullable, PRICE_MAX, TranslationsInput } from "../shared.ts";
import { DESCRIPTION_LENGTH_MAX } from "../venue/menu.ts";
import { Default, Key, Name, strict } from "./fields.ts";

export const EXPERIENCES_MAX = 200;

export const ExperienceFile = Type.Object(
  {
    key: Key,
    name: Name,
    description: Default(Nullable(TranslationsInput({ lengthMax: DESCRIPTION_LENGTH_MAX })), null),
    price_minor: MinorWithin({ minimum: 0, maximum: PRICE_MAX, description: "For one ticket, in the currency's minor unit; 0 is free." }),
    branch: Key,
    is_active: Default(Type.Boolean({ description: "Tickets are sold." }), true),
  },
  { ...strict, description: "A tasting, a class, a chef's table: something that guests buy tickets for." },
);
export type ExperienceFile = Static<typeof ExperienceFile>;
