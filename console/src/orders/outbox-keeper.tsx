/** Runs the outbox of the signed-in person on every page, says the result of its moves, and keeps a copy of the session. */
import type { SignedIn } from "@comanda/contract/console/session.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { useToast } from "#kit/toast.ts";
import { deleteOldCopies, saveSession } from "#offline/local-database.ts";
import type { OutboxEvent } from "#offline/outbox.ts";
import { onOutboxEvent, outboxOf } from "#offline/outboxes.ts";
import { registerServiceWorker } from "#offline/register-service-worker.ts";
import { onAreasChanged } from "#shell/change-stream.ts";
import { sessionQuery, useSession } from "#shell/session.ts";
import { applyWritten } from "./board-query.ts";
import { useMoveError } from "./write-errors.ts";

export const OutboxKeeper = () => {
  const session = useSession();
  useSessionCopy(session);
  useRunningOutbox(session.person.id);
  useEffect(registerServiceWorker, []);
  return null;
};

/** Another person who signs in takes over all tabs: a page must not show one person's data under another's session. */
const useSessionCopy = (session: SignedIn & { copied_at?: number }): void => {
  useEffect(() => {
    const channel = new BroadcastChannel("comanda-session");
    channel.addEventListener("message", ({ data }: MessageEvent<number>) => {
      if (data !== session.person.id) window.location.reload();
    });
    if (session.copied_at === undefined) {
      channel.postMessage(session.person.id);
      // Without storage there is no copy, and everything else works.
      saveSession(session, Date.now())
        .then(() => deleteOldCopies(session.person.id, Date.now()))
        .catch(() => undefined);
    }
    return () => channel.close();
  }, [session]);
};

const useRunningOutbox = (person: number): void => {
  const show = useShowEvent();
  const onEvent = useEffectEvent((event: OutboxEvent) => show(event));
  useEffect(() => {
    const outbox = outboxOf(person);
    const wake = (): void => {
      if (outbox.read().moves.length > 0) void outbox.wake();
    };
    const onVisibility = (): void => (document.visibilityState === "hidden" ? void outbox.hurry() : wake());
    const stopListening = onOutboxEvent(person, (event) => onEvent(event));
    const stopHearing = onAreasChanged(wake);
    window.addEventListener("online", wake);
    document.addEventListener("visibilitychange", onVisibility);
    outbox.start();
    return () => {
      outbox.stop();
      stopListening();
      stopHearing();
      window.removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [person]);
};

const useShowEvent = () => {
  const { t } = useTranslation();
  const toast = useToast();
  const describe = useErrorText();
  const explain = useMoveError();
  const queryClient = useQueryClient();
  const showRefusal = ({ move, laterMoves, error }: Extract<OutboxEvent, { kind: "refused" }>): void => {
    if (hasErrorCode(error, "state_changed")) explain(error, move.venue);
    else toast.note(t("waiting.refused", { name: move.name, reason: describe(error) }));
    if (laterMoves > 0) toast.note(t("waiting.dropped", { count: laterMoves, name: move.name }));
    void queryClient.invalidateQueries({ queryKey: ["board", move.venue] });
  };
  return (event: OutboxEvent): void => {
    if (event.kind === "sent") applyWritten(queryClient, event.move.venue, event.order);
    else if (event.kind === "refused") showRefusal(event);
    else if (event.kind === "expired") toast.note(t("waiting.expired", { count: event.count }));
    else if (event.kind === "other_person") window.location.reload();
    // The session is read again, finds that it has ended, and the console asks to sign in.
    else void queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false }).catch(() => undefined);
  };
};
