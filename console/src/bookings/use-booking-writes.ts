/** What the page writes. A lost race shows the present state and who was faster. */
import type { BookingStep, DayBooking } from "@comanda/contract/console/bookings.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError, call, isUnanswered, isWorthRetrying } from "../api.ts";
import { useToast } from "../ui/toast.ts";
import { createTries } from "../ui/tries.ts";
import { applyBooking } from "./day-query.ts";
import { phaseOf } from "./phases.ts";

type BookingChanged = { booking?: DayBooking; changed_by: string | null };

export const useBookingError = (venue: string) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const toast = useToast();
  const client = useQueryClient();
  return (error: Error): void => {
    if (error instanceof CallError && error.code === "role_required") {
      toast.note(t("managerAnswers"));
      return;
    }
    if (!(error instanceof CallError) || error.code !== "state_changed") {
      toast.refusal(error);
      return;
    }
    const { booking, changed_by } = error.details as BookingChanged;
    void client.invalidateQueries({ queryKey: ["booking-day", venue] });
    if (!booking) {
      toast.note(t("waitlist.faster", { who: changed_by ?? t("colleague") }));
      return;
    }
    applyBooking(client, venue, booking);
    const state = t(`phases.${phaseOf(booking)}`);
    toast.note(t("faster", { name: booking.reservation.name, who: changed_by ?? t("colleague"), state }));
  };
};

/** A connection that never answers must not keep the button for minutes. */
const waitMsMax = 10_000;

const useWrite = <T extends object>(venue: string, send: (input: T & { idempotencyKey: string }) => Promise<{ data: DayBooking }>) => {
  const client = useQueryClient();
  const explain = useBookingError(venue);
  const [tries] = useState(createTries<T, object>);
  const { mutate, mutateAsync, isPending, variables } = useMutation({
    mutationFn: send,
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      tries.end();
      applyBooking(client, venue, data);
    },
    onError: (error) => {
      if (!isUnanswered(error)) tries.end();
      explain(error);
    },
  });
  const withKey = (input: T): T & { idempotencyKey: string } => {
    const { idempotencyKey } = tries.begin(input, {});
    return { ...input, idempotencyKey };
  };
  return {
    write: (input: T): void => mutate(withKey(input)),
    /** Null when it was refused. */
    writeAndWait: async (input: T): Promise<DayBooking | null> =>
      mutateAsync(withKey(input)).then(
        ({ data }) => data,
        () => null,
      ),
    isPending,
    variables,
  };
};

type Step = { booking: DayBooking; step: BookingStep };

export const useStep = (venue: string) =>
  useWrite<Step>(venue, ({ booking: { reservation, version }, step, idempotencyKey }) =>
    call("stepBooking", {
      params: { venue, reservation: reservation.id },
      idempotencyKey,
      waitMsMax,
      body: { seen_version: version, step },
    }),
  );

type Answer = { booking: DayBooking; answer: "confirm" | "decline" };

export const useAnswer = (venue: string) =>
  useWrite<Answer>(venue, ({ booking: { reservation, version }, answer, idempotencyKey }) =>
    call("answerBooking", {
      params: { venue, reservation: reservation.id },
      idempotencyKey,
      waitMsMax,
      body: { seen_version: version, answer },
    }),
  );

export type BookingChange = {
  name?: string;
  phone?: string;
  note?: string | null;
  date?: string;
  time?: string;
  party_size?: number;
  table_ids?: number[];
  minutes?: number;
};

export const useChange = (venue: string) =>
  useWrite<{ booking: DayBooking; change: BookingChange }>(venue, ({ booking: { reservation, version }, change, idempotencyKey }) =>
    call("changeBooking", {
      params: { venue, reservation: reservation.id },
      idempotencyKey,
      waitMsMax,
      body: { seen_version: version, ...change },
    }),
  );

type NewBookingBody = {
  name: string;
  phone: string;
  party_size: number;
  date: string;
  time: string;
  note: string | null;
  branch_id: number | null;
};

export const useMakeBooking = (venue: string) =>
  useWrite<{ body: NewBookingBody }>(venue, ({ body, idempotencyKey }) =>
    call("makeBooking", { params: { venue }, idempotencyKey, waitMsMax, body }),
  );

type WalkInBody = { party_size: number; branch_id: number | null; table_ids?: number[] };

export const useSeatWalkIn = (venue: string) =>
  useWrite<{ body: WalkInBody }>(venue, ({ body, idempotencyKey }) =>
    call("seatWalkIn", { params: { venue }, idempotencyKey, waitMsMax, body }),
  );

type DepositWrite =
  | { booking: DayBooking; kind: "ask"; amountMinor: number }
  | { booking: DayBooking; kind: "take"; method: "cash" | "card_terminal" | "other" }
  | { booking: DayBooking; kind: "refund"; reason: string };

export const useDeposit = (venue: string) =>
  useWrite<DepositWrite>(venue, ({ idempotencyKey, ...deposit }) => {
    const { reservation, version } = deposit.booking;
    const params = { venue, reservation: reservation.id };
    const seen = { seen_version: version };
    if (deposit.kind === "ask")
      return call("askDeposit", { params, idempotencyKey, waitMsMax, body: { ...seen, amount_minor: deposit.amountMinor } });
    if (deposit.kind === "take")
      return call("takeDeposit", { params, idempotencyKey, waitMsMax, body: { ...seen, method: deposit.method } });
    return call("refundDeposit", { params, idempotencyKey, waitMsMax, body: { ...seen, reason: deposit.reason } });
  });
