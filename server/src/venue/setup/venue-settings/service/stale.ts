/** The answer to a page whose settings are no longer the present ones. */
import type { Ctx } from "#lib/context.ts";
import { type ApiError, type FieldErrors, validationError } from "#lib/errors.ts";
import { stateChanged } from "#platform/activity/audit/service.ts";

/** `area` is the part of the settings, and its name in the activity log. */
export const settingsChanged = (ctx: Ctx, area: "restaurant" | "branches" | "ordering" | "charges", present: object): Promise<ApiError> =>
  stateChanged(ctx, { area, subject: ctx.tenant.id }, { [area]: present });

export const refuseFaults = (errors: FieldErrors): void => {
  if (Object.keys(errors).length > 0) throw validationError(errors);
};
