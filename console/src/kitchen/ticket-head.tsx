/** The head of a ticket: one tap bumps it, a long press opens its sheet. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { ClockIcon, WarningIcon } from "#kit/icons.tsx";
import { type Lateness, latenessOf } from "#kit/lateness.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useKitchenContext, useTicketNames } from "./kitchen-actions.ts";
import type { TicketPart } from "./ticket-pages.ts";
import { useHold } from "./use-hold.ts";

const MINUTE_MS = 60_000;

export const useTicketLateness = ({ promised_at, state }: KitchenTicket): Lateness["kind"] => {
  const { clockAheadMs } = useKitchenContext();
  return useOfClock((at) => (state === "voided" ? "later" : latenessOf(promised_at, at + clockAheadMs).kind));
};

/** The age in minutes, and a word for a ticket that is due: colour alone says nothing to some cooks. */
const TicketAge = ({ ticket }: { ticket: KitchenTicket }) => {
  const { t } = useTranslation();
  const { clockAheadMs } = useKitchenContext();
  const minutes = useOfClock((at) => Math.max(0, Math.floor((at + clockAheadMs - new Date(ticket.fired_at).getTime()) / MINUTE_MS)));
  const kind = useTicketLateness(ticket);
  const dueIn = useOfClock((at) => latenessOf(ticket.promised_at, at + clockAheadMs).minutes);
  return (
    <span className="kd-age figures">
      <span className="kd-age-minutes">
        {kind === "late" ? <WarningIcon size={26} /> : <ClockIcon size={26} />}
        {t("kitchen.age", { minutes })}
      </span>
      {kind !== "later" && <b className="kd-due">{t(`kitchen.${kind}`, { minutes: dueIn })}</b>}
    </span>
  );
};

const Elsewhere = ({ ticket }: { ticket: KitchenTicket }) => {
  const { t } = useTranslation();
  const texts = { fired: "kitchen.alsoAt", done: "kitchen.alsoDone", voided: "kitchen.alsoCancelled" } as const;
  return ticket.elsewhere.map(({ station, state }) => (
    <span key={station} className={`kd-chip kd-chip-${state}`}>
      {t(texts[state], { station })}
    </span>
  ));
};

type HeadProps = { part: TicketPart; place: number | null; isWaiting: boolean };

export const TicketHead = ({ part: { ticket, part, parts }, place, isWaiting }: HeadProps) => {
  const { t } = useTranslation();
  const { actions, isExpo, branches } = useKitchenContext();
  const pick = useLocalizedName();
  const branch = branches.find(({ id }) => id === ticket.branch_id);
  const { nameOf, whoOf } = useTicketNames();
  const hold = useHold(
    () => (ticket.state === "voided" ? actions.acknowledge(ticket) : actions.bump(ticket)),
    () => actions.openSheet(ticket),
  );
  const [name, who] = [nameOf(ticket), whoOf(ticket)];
  return (
    <button type="button" className="kd-head" {...hold}>
      <span className="kd-hidden">{ticket.state === "voided" ? t("kitchen.gotIt") : t("kitchen.bump")} </span>
      <span className="kd-head-row">
        {place !== null && (
          <span className="kd-place" aria-hidden="true">
            {place}
          </span>
        )}
        <bdi className="kd-number figures">{name}</bdi>
        <TicketAge ticket={ticket} />
      </span>
      <span className="kd-head-more">
        <span className="kd-who">{who}</span>
        {ticket.is_priority && <b className="kd-chip kd-chip-first">★ {t("kitchen.priority")}</b>}
        {branch && (
          <b className="kd-chip kd-chip-branch">
            <bdi>{pick(branch.name)}</bdi>
          </b>
        )}
        {isExpo && <b className="kd-chip kd-chip-station">{ticket.station}</b>}
        {ticket.state === "voided" && <b className="kd-chip kd-chip-cancelled">{t("kitchen.cancelled")}</b>}
        {parts > 1 && <span className="kd-chip">{t("kitchen.continued", { part: part + 1, parts })}</span>}
        {isWaiting && <span className="kd-chip">↥ {t("kitchen.waits")}</span>}
        <Elsewhere ticket={ticket} />
      </span>
    </button>
  );
};
