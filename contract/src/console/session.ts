/** Signing in: sessions, links sent by mail, the second factor. */
import { type Static, Type } from "typebox";
import { FEATURES } from "../scopes.ts";
import { Id, Literals, Nullable, Translations } from "../shared.ts";
import { type ConsoleOperation, Count, Data, Done, Instant, Role } from "./operation.ts";

export const ConsoleUser = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  locale: Nullable(Type.String()),
  has_second_factor: Type.Boolean(),
  recovery_codes_left: Count,
});
export type ConsoleUser = Static<typeof ConsoleUser>;

export const Membership = Type.Object({
  slug: Type.String(),
  name: Translations,
  role: Role,
  /** A text that is missing in the reader's language is shown in this one. */
  default_language: Type.String(),
  /** The venue asks it of this person. Its calls answer 403 `second_factor_setup_required` until `confirmSecondFactor`. */
  is_second_factor_missing: Type.Boolean(),
  /** The features of the venue's plan. A call that needs another one answers 403 `plan_feature_unavailable`. */
  features: Type.Array(Literals(FEATURES)),
  /** An owner ended this session in the venue. Its calls answer 403 `sign_in_again` until the person has signed in again. */
  is_sign_in_needed: Type.Optional(Type.Literal(true)),
  /** Opened in the browser, and not live yet. */
  is_opening: Type.Optional(Type.Literal(true)),
  /** It is open. Calls that work in a sandbox reach it by its slug. */
  has_sandbox: Type.Boolean(),
});
export type Membership = Static<typeof Membership>;

/** An invitation to a team. It gives no access before `acceptInvitation`. */
export const OpenInvitation = Type.Object({
  slug: Type.String(),
  name: Translations,
  role: Role,
  /** The name of the person who invited. Null when the service's operator did. */
  invited_by: Nullable(Type.String()),
  invited_at: Instant,
  expires_at: Instant,
});
export type OpenInvitation = Static<typeof OpenInvitation>;

export const SignedIn = Type.Object({
  person: ConsoleUser,
  /** The venues that the person is a member of. */
  venues: Type.Array(Membership),
  invitations: Type.Array(OpenInvitation),
  expires_at: Instant,
});
export type SignedIn = Static<typeof SignedIn>;

export const Email = Type.String({ format: "email", maxLength: 254 });
/** Long enough to be worth guessing at, short enough to hash; nothing else is asked of it (NIST SP 800-63B §5.1.1.2). */
export const NewPassword = Type.String({ minLength: 10, maxLength: 200 });
const Password = Type.String({ minLength: 1, maxLength: 200 });
const AppCode = Type.String({ pattern: "^[0-9]{6}$" });
/** Six digits of the authenticator app, or a recovery code. */
const Code = Type.String({ pattern: "^([0-9]{6}|[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}-?[0-9A-Za-z]{4})$" });
/** Shown once. */
const RecoveryCodes = Type.Object({ person: ConsoleUser, recovery_codes: Type.Array(Type.String()) });
export const LinkSecret = Type.String({ minLength: 1, maxLength: 100 });

export const SessionRow = Type.Object({
  id: Id,
  created_at: Instant,
  last_seen_at: Instant,
  address: Nullable(Type.String()),
  browser: Nullable(Type.String()),
  system: Nullable(Type.String()),
  is_current: Type.Boolean(),
});

export const sessionOperations = {
  signIn: {
    method: "POST",
    path: "/session",
    who: "anyone",
    body: Type.Object({ email: Email, password: Password, code: Type.Optional(Nullable(Code)) }),
    // 401 second_factor_required asks for the code; 403 sign_in_link_required, on a device that the account does not know, for a link.
    success: { status: 201, body: Data(SignedIn) },
  },
  readSession: { method: "GET", path: "/session", who: "person", success: { status: 200, body: Data(SignedIn) } },
  signOut: { method: "DELETE", path: "/session", who: "person", revokes: "person", success: { status: 200, body: Done } },
  listSessions: { method: "GET", path: "/sessions", who: "person", success: { status: 200, body: Data(Type.Array(SessionRow)) } },
  /** Ends that session, and its device is no longer known. */
  endSession: {
    method: "DELETE",
    path: "/sessions/{id}",
    who: "person",
    isIdempotent: true,
    revokes: "person",
    success: { status: 200, body: Done },
  },
  /** Every session, this one included. */
  signOutEverywhere: { method: "DELETE", path: "/sessions", who: "person", revokes: "person", success: { status: 200, body: Done } },
  /** The answer is the same whether anybody has that address or not. */
  askForReset: {
    method: "POST",
    path: "/password-reset",
    who: "anyone",
    body: Type.Object({ email: Email }),
    success: { status: 202, body: Done },
  },
  /**
   * Asks for a sign-in without the password. It also works while others guess at the password. The answer is the same for every address.
   */
  askForSignInLink: {
    method: "POST",
    path: "/sign-in-link",
    who: "anyone",
    body: Type.Object({ email: Email }),
    success: { status: 202, body: Done },
  },
  /** What a link is for, before it is used. A POST, so that no log keeps the secret. */
  readLink: {
    method: "POST",
    path: "/links/read",
    who: "anyone",
    body: Type.Object({ secret: LinkSecret }),
    success: {
      status: 200,
      body: Data(
        Type.Object({
          kind: Literals(["invitation", "reset", "sign_in"]),
          email: Type.String(),
          name: Nullable(Type.String()),
          venue: Nullable(Translations),
          /** Null when the person is not in the team and not invited. */
          slug: Nullable(Type.String()),
          has_password: Type.Boolean(),
          /** The person accepted an invitation of that venue. */
          is_member: Type.Boolean(),
        }),
      ),
    },
  },
  /**
   * Sets the password, ends every other session of the person, and signs in. With an invitation the person becomes a member. An invitation of
   * a person with a password is refused: they sign in, and `acceptInvitation` or `declineInvitation` answers it.
   */
  useLink: {
    method: "POST",
    path: "/links/use",
    who: "anyone",
    body: Type.Object({ secret: LinkSecret, password: NewPassword, code: Type.Optional(Nullable(Code)) }),
    success: { status: 201, body: Data(SignedIn) },
  },
  /** Signs in by a link of the kind `sign_in`. */
  useSignInLink: {
    method: "POST",
    path: "/links/sign-in",
    who: "anyone",
    body: Type.Object({ secret: LinkSecret, code: Type.Optional(Nullable(Code)) }),
    success: { status: 201, body: Data(SignedIn) },
  },
  changeUser: {
    method: "PATCH",
    path: "/person",
    who: "person",
    body: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
      locale: Type.Optional(Nullable(Literals(["en", "ar"]))),
    }),
    success: { status: 200, body: Data(ConsoleUser) },
  },
  changePassword: {
    method: "PUT",
    path: "/password",
    who: "person",
    revokes: "person",
    body: Type.Object({ current: Password, password: NewPassword }),
    success: { status: 200, body: Done },
  },
  /** Confirms the password, after which calls are no longer refused with `password_required`. */
  confirmPassword: {
    method: "POST",
    path: "/session/password",
    who: "person",
    body: Type.Object({ password: Password }),
    success: { status: 200, body: Done },
  },
  beginSecondFactor: {
    method: "POST",
    path: "/second-factor",
    who: "person",
    isIdempotent: true,
    showsSecret: true,
    body: Type.Object({ password: Password }),
    success: { status: 201, body: Data(Type.Object({ secret: Type.String(), uri: Type.String() })) },
  },
  /** The second factor is in force from here on. Every other session ends. */
  confirmSecondFactor: {
    method: "PUT",
    path: "/second-factor",
    who: "person",
    isIdempotent: true,
    showsSecret: true,
    revokes: "person",
    body: Type.Object({ code: AppCode }),
    success: { status: 200, body: Data(RecoveryCodes) },
  },
  /** Ten new codes; the old ones end. */
  renewRecoveryCodes: {
    method: "POST",
    path: "/second-factor/recovery-codes",
    who: "person",
    isIdempotent: true,
    showsSecret: true,
    body: Type.Object({ password: Password, code: Code }),
    success: { status: 201, body: Data(RecoveryCodes) },
  },
  endSecondFactor: {
    method: "DELETE",
    path: "/second-factor",
    who: "person",
    isIdempotent: true,
    body: Type.Object({ password: Password, code: Code }),
    success: { status: 200, body: Data(ConsoleUser) },
  },
} as const satisfies Record<string, ConsoleOperation>;
