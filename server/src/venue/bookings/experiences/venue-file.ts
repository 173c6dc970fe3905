/** Experiences in a venue file. Sessions and bookings are left as they are. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { idsByKey, removeOthers, upsertRows } from "#db/bulk-upsert.ts";
import type { Ctx } from "#lib/context.ts";
import { listExperiences } from "./store/experiences.ts";
import { cancelSessionsOfRemoved } from "./store/sessions.ts";

type ExperiencePart = Pick<VenueFile, "experiences">;

/**
 * Runs after the branches of the file. The caller has locked the sessions of what the file removes, and refused what guests have tickets
 * for.
 */
export const applyExperiences = async (ctx: Ctx, { experiences }: ExperiencePart): Promise<void> => {
  const branchId = await idsByKey(ctx, "branches");
  await upsertRows(
    ctx,
    { table: "experiences" },
    experiences.map(({ branch, ...experience }, index) => ({
      ...experience,
      branch_id: branchId(branch),
      sort_order: index,
      deleted_at: null,
    })),
  );
  await removeOthers(
    ctx,
    "experiences",
    experiences.map(({ key }) => key),
  );
  cancelSessionsOfRemoved(ctx);
};

export const collectExperiences = async (ctx: Ctx): Promise<ExperiencePart> => ({
  experiences: (await listExperiences(ctx)).map(({ key, name, description, price_minor, branch, is_active }) => ({
    key,
    name,
    description,
    price_minor,
    branch,
    is_active,
  })),
});
