/** Who works here. The address is the person: whoever has its mailbox may sign in as them. */
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { deleteStaff, listOwners, listStaffRows, type StaffRow, upsertStaff } from "./store.ts";

export const readOwners = (ctx: Ctx) => listOwners(ctx);

export const listStaff = (ctx: Ctx) => listStaffRows(ctx);

export const addStaff = async (ctx: Ctx, wanted: StaffRow): Promise<void> => {
  await upsertStaff(ctx, wanted);
  recordAudit(ctx, {
    action: "staff.invited",
    subject: { kind: "staff", id: wanted.email },
    after: { name: wanted.name, role: wanted.role },
  });
};

/** False when nobody with that address works here. */
export const removeStaff = async (ctx: Ctx, email: string): Promise<boolean> => {
  const gone = await deleteStaff(ctx, email);
  if (gone)
    recordAudit(ctx, { action: "staff.removed", subject: { kind: "staff", id: email }, before: { name: gone.name, role: gone.role } });
  return gone !== undefined;
};
