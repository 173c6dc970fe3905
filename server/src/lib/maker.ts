/** Who made something that gives access: written down with it, because names can be changed. */
import type { Actor } from "./context.ts";

/** A person as a venue knows them. The number is null for an address that has never signed in here. */
export type Person = { id: number | null; email: string };

type Maker = { created_by: string; created_by_person_id: number | null; created_by_email: string | null };

export const makerOf = ({ kind, id, name, email }: Actor): Maker => ({
  created_by: name,
  created_by_person_id: kind === "staff" ? id : null,
  created_by_email: email ?? null,
});
