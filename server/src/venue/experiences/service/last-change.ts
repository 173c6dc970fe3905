/** Who was faster, for the person whose page shows an earlier state. */
import type { Ctx } from "#lib/context.ts";
import { readActivity } from "#platform/audit/service.ts";

type ChangedArea = "experience" | "experience_session" | "experience_booking";

export const readLastChange = async (
  ctx: Ctx,
  area: ChangedArea,
  id: number,
): Promise<{ changed_by: string | null; changed_at: string | null }> => {
  const [step] = await readActivity(ctx, { area, subject: String(id) }, 1);
  return { changed_by: step?.actor_name ?? null, changed_at: step?.at.toISOString() ?? null };
};
