/** Console calls for sessions, the user's own fields and the password. */
import type { SessionCalls } from "#http/console/calls.ts";
import type { GlobalContext } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { hashPassword } from "#lib/passwords.ts";
import {
  changeUser,
  createSession,
  endAllSessions,
  endSession,
  findKnownDevice,
  lockUnchangedUser,
  readSession,
  readSessions,
  recordPasswordConfirmed,
  replacePassword,
} from "../service.ts";
import { deleteSessionById } from "../store.ts";
import { checkOwnPassword } from "./password-check.ts";

const done = { data: {} };

type AccountIds =
  | "readSession"
  | "signOut"
  | "listSessions"
  | "endSession"
  | "signOutEverywhere"
  | "changeUser"
  | "changePassword"
  | "confirmPassword";

export const accountCalls: Pick<SessionCalls, AccountIds> = {
  readSession: async (caller) => ({ data: await caller.inGlobalTransaction((ctx) => readSession(ctx, caller.session)) }),
  async signOut(caller) {
    await caller.inGlobalTransaction(async (ctx) => endSession(ctx, caller.cookie));
    caller.setCookie(null);
    return done;
  },
  listSessions: async (caller) => ({ data: await caller.inGlobalTransaction((ctx) => readSessions(ctx, caller.session)) }),
  async endSession(caller, { id }) {
    const end = async (ctx: GlobalContext) => {
      if (!(await deleteSessionById(ctx, caller.session.id, id))) throw apiError("not_found");
      return done;
    };
    await caller.inGlobalTransaction((ctx) => caller.once(ctx, () => end(ctx)));
    if (id === caller.session.session_id) caller.setCookie(null);
    return done;
  },
  async signOutEverywhere(caller) {
    await caller.inGlobalTransaction(async (ctx) => endAllSessions(ctx, caller.session.id));
    caller.setCookie(null);
    return done;
  },
  async changeUser(caller, { body }) {
    const change = body();
    return { data: await caller.inGlobalTransaction((ctx) => changeUser(ctx, caller.session, change)) };
  },
  async changePassword(caller, { body }) {
    const { current, password } = body();
    const user = await checkOwnPassword(caller, current);
    const passwordHash = await hashPassword(password, { account: user.email });
    const { client } = caller;
    const opened = await caller.inGlobalTransaction(async (ctx) => {
      const locked = await lockUnchangedUser(ctx, user);
      const device = await findKnownDevice(ctx, locked.email, caller.devices);
      await replacePassword(ctx, locked, { passwordHash, isReset: false, client });
      return createSession(ctx, locked, { device, client, hasGivenPassword: true });
    });
    caller.setCookie(opened.cookie);
    caller.rememberDevice(opened.device);
    return done;
  },
  async confirmPassword(caller, { body }) {
    const { password } = body();
    const user = await checkOwnPassword(caller, password);
    await caller.inGlobalTransaction(async (ctx) => {
      await lockUnchangedUser(ctx, user);
      recordPasswordConfirmed(ctx, caller.session);
    });
    return done;
  },
};
