/**
 * Faults of answers that a program ordered in its sandbox (decision 0072). A live venue never has one. The look-up of the token says whether one
 * may be due, so a request makes no query of its own for it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type AnswerFault, FAULT_HEADER } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { apiError } from "#lib/errors.ts";
import { writeHeaders } from "../reply.ts";
import { requirePrincipal } from "./auth-state.ts";

type FaultOfAnswer = { fault: AnswerFault; duration_ms: number };

/** Takes the next fault of the request's sandbox for this operation. The composition passes it in because http imports no module. */
export type TakeFault = (request: FastifyRequest, operationId: string) => Promise<FaultOfAnswer | null>;

/** A read found beside its work that a fault may be due. Nothing was answered. */
class FaultDueError extends Error {}

/** The token of a read changed while it ran: `answerWithFault` takes the fault and does the work again. */
export const retryIfFaultDue = (request: FastifyRequest): void => {
  if (mayTakeFault(request)) throw new FaultDueError("A fault of the sandbox may be due");
};

/** Calls of agents take none: their answer is a part of another one. */
const mayTakeFault = (request: FastifyRequest): boolean =>
  !request.auth.isFaultDecided && request.auth.forwarded === null && requirePrincipal(request).hasFaults;

type FaultDeps = {
  take: TakeFault;
  leavePlace(request: FastifyRequest): void;
  /** Writes the request log. An answer on a closed connection never ends, so the hook for answers does not run. */
  recordLost(request: FastifyRequest, reply: FastifyReply): void;
};

export type AnswerFaults = {
  /** Does the work as the fault says that the request takes. Each request takes at most one. */
  answerWithFault<T>(call: { request: FastifyRequest; reply: FastifyReply; operationId: string }, work: () => Promise<T>): Promise<T>;
};

const RETRY_SECONDS = "1";

export const createAnswerFaults = ({ take, leavePlace, recordLost }: FaultDeps): AnswerFaults => {
  const decide = async (request: FastifyRequest, operationId: string): Promise<FaultOfAnswer | null> => {
    if (!mayTakeFault(request)) return null;
    request.auth.isFaultDecided = true;
    return take(request, operationId);
  };
  /** Holds no place of the concurrency limit. Ends early when the client is gone. */
  const waitFor = async (request: FastifyRequest, reply: FastifyReply, ms: number): Promise<void> => {
    leavePlace(request);
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    await sleep(ms, undefined, { signal: gone.signal }).catch(() => undefined);
    // The time without traffic is counted from here again: the call may go on to wait for events.
    const { socket } = request.raw;
    socket.setTimeout(socket.timeout ?? 0);
  };
  return {
    async answerWithFault({ request, reply, operationId }, work) {
      let due = await decide(request, operationId);
      if (due === null)
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof FaultDueError)) throw error;
          due = await decide(request, operationId);
        }
      if (due === null) return work();
      const { fault, duration_ms } = due;
      writeHeaders(reply, { [FAULT_HEADER]: fault });
      if (fault === "503") throw apiError("service_unavailable", {}, { "Retry-After": RETRY_SECONDS });
      if (fault === "429") throw apiError("rate_limited", {}, { "Retry-After": RETRY_SECONDS });
      if (fault === "timeout") reply.code(503);
      // The lost answer has its status when the connection closes.
      if (fault !== "slow") reply.raw.once("close", () => recordLost(request, reply));
      if (fault !== "lose_answer") await waitFor(request, reply, duration_ms);
      if (fault === "slow") return work();
      if (fault === "lose_answer") return work().finally(() => request.raw.socket.destroy());
      request.raw.socket.destroy();
      throw apiError("service_unavailable");
    },
  };
};
