/** Fields that several parts of a venue file use. */
import { type TSchema, Type } from "typebox";
import { LANGUAGE_PATTERN, TranslationsInput } from "../shared.ts";
import { NAME_LENGTH_MAX } from "../venue/menu.ts";

/** No other members than those listed. */
export const strict = { additionalProperties: false };

/** Optional in a file; parsing fills in this value. */
export const Default = <T extends TSchema>(schema: T, value: unknown): T => ({ ...schema, default: value });

export const Key = Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,63}$", description: "Short name, unique in its list." });
export const Name = TranslationsInput({ lengthMax: NAME_LENGTH_MAX });
export const Language = Type.String({ pattern: LANGUAGE_PATTERN, maxLength: 35 });
export const Text = (lengthMax: number, description?: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, ...(description ? { description } : {}) });
export const Percent = Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.001 });
export const Days = (max: number, min = 0) => Type.Integer({ minimum: min, maximum: max });
