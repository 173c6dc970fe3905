/** The staff of a venue. A member is identified by e-mail address: access to the mailbox gives access to the account. */
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { deleteStaff, listMembers, listStaffRows, type StaffRow, upsertStaff } from "./store.ts";

export const readOwners = (ctx: Ctx) => listMembers(ctx, ["owner"]);

/** Owners included: they can do all that managers can. */
export const readManagers = (ctx: Ctx) => listMembers(ctx, ["owner", "manager"]);

export const listStaff = (ctx: Ctx) => listStaffRows(ctx);

export const addStaff = async (ctx: Ctx, wanted: StaffRow): Promise<void> => {
  await upsertStaff(ctx, wanted);
  recordAudit(ctx, {
    action: "staff.invited",
    subject: { kind: "staff", id: wanted.email },
    after: { name: wanted.name, role: wanted.role },
  });
};

/** False when no member has that address. */
export const removeStaff = async (ctx: Ctx, email: string): Promise<boolean> => {
  const removed = await deleteStaff(ctx, email);
  if (removed)
    recordAudit(ctx, {
      action: "staff.removed",
      subject: { kind: "staff", id: email },
      before: { name: removed.name, role: removed.role },
    });
  return removed !== undefined;
};
