/** The people in a venue file. */
import { Type } from "typebox";
import { DateTime, Literals, Nullable } from "../shared.ts";
import { Default, Key, Language, strict, Text } from "./fields.ts";

export const STAFF_ROLES = ["owner", "manager", "staff"] as const;

export const Staff = Type.Object(
  {
    email: Type.String({ format: "email", maxLength: 254 }),
    name: Text(120),
    role: Literals(STAFF_ROLES),
    locale: Default(Nullable(Language), null),
  },
  strict,
);

export const GuestFile = Type.Object(
  {
    key: Key,
    name: Text(120),
    phone: Default(Nullable(Text(40)), null),
    email: Default(Nullable(Type.String({ format: "email", maxLength: 254 })), null),
    locale: Default(Nullable(Language), null),
    marketing_opted_in: Default(Type.Boolean(), false),
    marketing_opted_in_at: Default(Nullable(DateTime), null),
    staff_note: Default(Nullable(Text(2000)), null),
  },
  strict,
);
