/** What a page is told whose settings are no longer the present ones. */
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, type FieldErrors, validationError } from "#lib/errors.ts";
import { readActivity } from "#platform/audit/service.ts";

/** `area` is the part of the settings, and its name in the activity log. */
export const settingsChanged = async (
  ctx: Ctx,
  area: "restaurant" | "branches" | "ordering" | "charges",
  present: object,
): Promise<ApiError> => {
  const [entry] = await readActivity(ctx, { area, subject: String(ctx.tenant.id) }, 1);
  return apiError("state_changed", { [area]: present, changed_by: entry?.actor_name ?? null, changed_at: entry?.at.toISOString() ?? null });
};

export const refuseFaults = (errors: FieldErrors): void => {
  if (Object.keys(errors).length > 0) throw validationError(errors);
};
