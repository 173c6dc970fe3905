/** The user who created a token, endpoint or installation: stored by id and e-mail address, because names can change. */
import type { Actor } from "./context.ts";

/** The id is null for an e-mail address that has never signed in to this cell. */
export type AccountRef = { id: number | null; email: string };

type CreatorColumns = { created_by: string; created_by_user_id: number | null; created_by_email: string | null };

export const creatorColumns = ({ kind, id, name, email }: Actor): CreatorColumns => ({
  created_by: name,
  created_by_user_id: kind === "staff" ? id : null,
  created_by_email: email ?? null,
});
