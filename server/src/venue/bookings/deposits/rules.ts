/** When a deposit can be asked for, taken and given back. */
import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";

type DepositState = { status: ReservationStatus; deposit_minor: number | null; deposit_status: string | null };

const isOpen = ({ status }: DepositState): boolean => status === "pending" || status === "confirmed";

/** An amount that is not paid yet can be changed. */
export const canAsk = (state: DepositState): boolean =>
  isOpen(state) && (state.deposit_status === null || state.deposit_status === "pending");

export const canTake = <T extends DepositState>(state: T): state is T & { deposit_minor: number } =>
  isOpen(state) && state.deposit_status === "pending" && state.deposit_minor !== null && state.deposit_minor > 0;

/** A deposit can be refunded after the visit too, or after the guest did not come. */
export const canRefund = ({ deposit_status }: DepositState): boolean => deposit_status === "paid";
