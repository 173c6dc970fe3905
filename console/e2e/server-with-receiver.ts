/** The real server with one venue and a local webhook receiver over TLS. */
import type { Role } from "@comanda/contract/console/operation.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { createLocalSender, type Receiver, startReceiver } from "../../server/test/support/webhook-receiver.ts";
import { type RealServer, startRealServer } from "./real-server.ts";

export type ServerWithReceiver = Pick<RealServer, "url" | "query" | "askForReviews" | "close"> & {
  slug: string;
  receiver: Receiver;
  /** Call after all invitations are accepted: the worker sends them by mail and replaces their links. */
  startWorker(): Promise<void>;
  /** Returns the secret of the invitation link. */
  invite(role: Role): Promise<string>;
  token(scopes: Scope[]): Promise<string>;
};

/** Settings are those of the application and of the worker. */
export const startServerWithReceiver = async (settings: Record<string, string> = {}): Promise<ServerWithReceiver> => {
  const receiver = await startReceiver();
  const server = await startRealServer(settings, { sender: createLocalSender(receiver.authority.cert) });
  const slug = await server.venue("lab");
  return {
    ...server,
    slug,
    receiver,
    invite: (role) => server.invite(slug, `${role}@lab.example`, role, `Nina the ${role}`),
    token: (scopes) => server.token(slug, scopes),
    async close() {
      await server.close();
      await receiver.close();
    },
  };
};
