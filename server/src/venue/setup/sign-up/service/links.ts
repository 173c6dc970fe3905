/** Links that lead to a new venue: the operator's invitations, and those that people ask for. The link proves the mailbox. */
import type { GlobalContext } from "#lib/context.ts";
import { type ApiError, validationError } from "#lib/errors.ts";
import { mailboxOf } from "#lib/mailbox.ts";
import { randomBase62, sha256 } from "#lib/token-format.ts";
import { enqueueGlobal } from "#platform/jobs/service.ts";
import { findUser } from "#platform/people/users/store.ts";
import { ASK_EVERY_MS, ASKS_PER_DAY_MAX, DAY_MS, HOUR_MS, SIGN_UP_DAYS } from "../rules/link-policy.ts";
import type { SignUpMailKind } from "../rules/texts.ts";
import {
  countAsked,
  countAskedByAll,
  endSignUps,
  findSignUpBySecret,
  insertSignUp,
  lockMailbox,
  lockSignUp,
  type SignUpRow,
  setSignUpHash,
} from "../store.ts";

/** `mailbox`, `hour`: nothing is sent, because this one, or all together, asked too often. */
export type AskOutcome = "sent" | "mailbox" | "hour";

/** Whether venues are opened by anyone, on which plan, and how many may ask for a link. */
export type SignUpRules = { isOpen: boolean; plan: string; mailsPerHourMax: number; countAsk(outcome: AskOutcome): void };

const SECRET_LENGTH = 43;

const daysAhead = (ctx: GlobalContext, days: number): Date => new Date(ctx.now.getTime() + days * DAY_MS);

type AskedLink = { email: string; locale: string | null };

/**
 * Does the same for every address, so that neither answer nor time reveals accounts. The job looks the account up. A mailbox that got its
 * mails keeps the newest link, so a person for whom others ask too often can still sign up.
 */
export const askToSignUp = async (ctx: GlobalContext, { email, locale }: AskedLink, mailsPerHourMax: number): Promise<AskOutcome> => {
  const mailbox = mailboxOf(email);
  const since = (ms: number): Date => new Date(ctx.now.getTime() - ms);
  lockMailbox(ctx, mailbox);
  const [ofMinute, ofDay, ofAll] = await Promise.all([
    countAsked(ctx, mailbox, since(ASK_EVERY_MS)),
    countAsked(ctx, mailbox, since(DAY_MS)),
    countAskedByAll(ctx, since(HOUR_MS)),
  ]);
  if (ofAll >= mailsPerHourMax) return "hour";
  if (ofMinute > 0 || ofDay >= ASKS_PER_DAY_MAX) return "mailbox";
  endSignUps(ctx, email, "asked");
  const expires_at = daysAhead(ctx, SIGN_UP_DAYS.asked);
  const id = await insertSignUp(ctx, { source: "asked", email, plan: null, locale, expires_at });
  await enqueueGlobal(ctx, "send-sign-up", { sign_up_id: id });
  return "sent";
};

export type OwnerInvitation = { email: string; plan: string | null; locale: string | null; days: number };

/** An earlier invitation of the address ends. The secret is returned where no mail can be sent. */
export const inviteToSignUp = async (
  ctx: GlobalContext,
  invitation: OwnerInvitation,
  hasMail: boolean,
): Promise<{ secret: string | null }> => {
  const { email, plan, locale, days } = invitation;
  endSignUps(ctx, email, "invited");
  const id = await insertSignUp(ctx, { source: "invited", email, plan, locale, expires_at: daysAhead(ctx, days) });
  if (!hasMail) return { secret: renewSecret(ctx, id) };
  await enqueueGlobal(ctx, "send-sign-up", { sign_up_id: id });
  return { secret: null };
};

const renewSecret = (ctx: GlobalContext, id: number): string => {
  const secret = randomBase62(SECRET_LENGTH);
  setSignUpHash(ctx, id, sha256(secret));
  return secret;
};

export type PreparedMail = { kind: SignUpMailKind; email: string; locale: string | null; secret: string | null; days: number };

/** Each attempt to send makes a new secret, so the secret of a failed attempt never works. */
export const prepareSignUpMail = async (ctx: GlobalContext, id: number): Promise<PreparedMail | null> => {
  const row = await lockSignUp(ctx, id);
  if (!row) return null;
  const { email, source } = row;
  const user = await findUser(ctx, email);
  const isKnown = source === "asked" && user?.password_hash != null;
  const days = Math.round((row.expires_at.getTime() - row.created_at.getTime()) / DAY_MS);
  const locale = user?.locale ?? row.locale;
  return { kind: isKnown ? "known" : source, email, locale, secret: isKnown ? null : renewSecret(ctx, id), days };
};

const LINK_INVALID = "This link was used before, or its time is over.";
export const invalidSignUpLink = (): ApiError => validationError({ secret: [LINK_INVALID] });

export const findValidSignUp = async (ctx: Pick<GlobalContext, "db" | "now">, secret: string): Promise<SignUpRow> => {
  const row = await findSignUpBySecret(ctx, sha256(secret), ctx.now);
  if (!row) throw invalidSignUpLink();
  return row;
};

export const readSignUpLink = async (ctx: Pick<GlobalContext, "db" | "now">, secret: string) => {
  const { email } = await findValidSignUp(ctx, secret);
  return { email, has_account: (await findUser(ctx, email))?.password_hash != null };
};
