/** Signing in: sessions, links sent by mail, the second factor. */
import { type Static, Type } from "typebox";
import { type ConsoleOperation, Data, Done, Instant, Role } from "./console-operation.ts";
import { Id, Literals, Nullable, Translations } from "./shared.ts";

export const Person = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  locale: Nullable(Type.String()),
  has_second_factor: Type.Boolean(),
});
export type Person = Static<typeof Person>;

export const Membership = Type.Object({ slug: Type.String(), name: Translations, role: Role });
export type Membership = Static<typeof Membership>;

export const SignedIn = Type.Object({ person: Person, venues: Type.Array(Membership), expires_at: Instant });
export type SignedIn = Static<typeof SignedIn>;

const Email = Type.String({ format: "email", maxLength: 254 });
/** Long enough to be worth guessing at, short enough to hash; nothing else is asked of it (NIST SP 800-63B §5.1.1.2). */
const NewPassword = Type.String({ minLength: 10, maxLength: 200 });
const Password = Type.String({ minLength: 1, maxLength: 200 });
const Code = Type.String({ pattern: "^[0-9]{6}$" });
const LinkSecret = Type.String({ minLength: 1, maxLength: 100 });

export const SessionRow = Type.Object({
  created_at: Instant,
  last_seen_at: Instant,
  address: Nullable(Type.String()),
  client: Nullable(Type.String()),
  is_current: Type.Boolean(),
});

export const sessionOperations = {
  signIn: {
    method: "POST",
    path: "/session",
    who: "anyone",
    body: Type.Object({ email: Email, password: Password, code: Type.Optional(Nullable(Code)) }),
    // Without the code that is needed: 401 with details.second_factor true.
    success: { status: 201, body: Data(SignedIn) },
  },
  readSession: { method: "GET", path: "/session", who: "person", success: { status: 200, body: Data(SignedIn) } },
  signOut: { method: "DELETE", path: "/session", who: "person", success: { status: 200, body: Done } },
  listSessions: { method: "GET", path: "/sessions", who: "person", success: { status: 200, body: Data(Type.Array(SessionRow)) } },
  /** Every session, this one included. */
  signOutEverywhere: { method: "DELETE", path: "/sessions", who: "person", success: { status: 200, body: Done } },
  /** The answer is the same whether anybody has that address or not. */
  askForReset: {
    method: "POST",
    path: "/password-reset",
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
          kind: Literals(["invitation", "reset"]),
          email: Type.String(),
          name: Nullable(Type.String()),
          venue: Nullable(Translations),
          has_password: Type.Boolean(),
        }),
      ),
    },
  },
  /** Sets the password, ends every other session of the person, and signs in. */
  useLink: {
    method: "POST",
    path: "/links/use",
    who: "anyone",
    body: Type.Object({ secret: LinkSecret, password: NewPassword, code: Type.Optional(Nullable(Code)) }),
    success: { status: 201, body: Data(SignedIn) },
  },
  changePerson: {
    method: "PATCH",
    path: "/person",
    who: "person",
    body: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
      locale: Type.Optional(Nullable(Literals(["en", "ar"]))),
    }),
    success: { status: 200, body: Data(Person) },
  },
  changePassword: {
    method: "PUT",
    path: "/password",
    who: "person",
    body: Type.Object({ current: Password, password: NewPassword }),
    success: { status: 200, body: Done },
  },
  beginSecondFactor: {
    method: "POST",
    path: "/second-factor",
    who: "person",
    body: Type.Object({ password: Password }),
    success: { status: 201, body: Data(Type.Object({ secret: Type.String(), uri: Type.String() })) },
  },
  confirmSecondFactor: {
    method: "PUT",
    path: "/second-factor",
    who: "person",
    body: Type.Object({ code: Code }),
    success: { status: 200, body: Data(Person) },
  },
  endSecondFactor: {
    method: "DELETE",
    path: "/second-factor",
    who: "person",
    body: Type.Object({ password: Password, code: Code }),
    success: { status: 200, body: Data(Person) },
  },
} as const satisfies Record<string, ConsoleOperation>;
