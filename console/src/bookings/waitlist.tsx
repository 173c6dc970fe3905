/** Parties that wait for a table: their names, sizes, waits and quoted times. */
import type { WaitlistEntry } from "@comanda/contract/console/bookings.ts";
import type { VenueMessage } from "@comanda/contract/console/messages.ts";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { PersonIcon } from "#kit/icons.tsx";
import { isMisplacedTap } from "#kit/second-tap.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { SendAgain, useFailureText } from "#messages/message-line.tsx";
import { messageKeys, messagesQuery } from "#messages/message-queries.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { bookingKeys } from "./day-query.ts";
import { useBookingWrite } from "./use-booking-writes.ts";

const MINUTE_MS = 60_000;

export const Waitlist = ({ entries }: { entries: readonly WaitlistEntry[] }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const { data: messages } = useQuery({ ...messagesQuery(venue, { about: "waiting" }), enabled: entries.some(wasNotified) });
  if (entries.length === 0) return null;
  return (
    <section className="booking-group" aria-labelledby="group-waitlist">
      <h2 id="group-waitlist" className="booking-group-title">
        {t("waitlist.title")}
        <span className="booking-count figures">
          {t("groupCount", { count: entries.length, guests: entries.reduce((sum, { party_size }) => sum + party_size, 0) })}
        </span>
      </h2>
      <ul className="booking-rows">
        {entries.map((entry) => (
          <WaitingParty key={entry.id} entry={entry} message={messages?.find(({ subject_id }) => subject_id === entry.id)} />
        ))}
      </ul>
    </section>
  );
};

const wasNotified = ({ notified_at }: WaitlistEntry): boolean => notified_at !== null;

type WaitlistAct = "notify" | "seat" | "remove";

const useAct = (entry: WaitlistEntry) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const nameTables = useTableNames();
  const toast = useToast();
  const seating = useBookingWrite(venue);
  const telling = useWrite<"notifyWaiting" | "removeWaiting">({ readAgain: [...bookingKeys(venue), ...messageKeys(venue)] });
  const act = async (kind: WaitlistAct): Promise<void> => {
    const write = { params: { venue, entry: entry.id }, body: { seen_version: entry.version } };
    if (kind !== "seat") return telling.write({ id: kind === "notify" ? "notifyWaiting" : "removeWaiting", ...write });
    const seated = await seating.writeAndWait({ id: "seatWaiting", ...write });
    if (seated) toast.done(t("walkIn.seated", { count: entry.party_size, tables: nameTables(seated.data.table_ids) }));
  };
  return { act, isPending: seating.isPending || telling.isPending };
};

/** Shows the state of the message, not that a person requested it. */
const PartyState = ({ entry, message }: WaitingPartyProps) => {
  const { t } = useTranslation();
  const failureOf = useFailureText();
  if (entry.notified_at === null) return <span className="booking-phase">{t("bookings.waitlist.waits")}</span>;
  const why = message === undefined ? "" : failureOf(message);
  return (
    <>
      <span className="booking-phase" data-message={message?.state ?? "unknown"}>
        {t(`messages.short.${message?.state ?? "waiting"}`)}
      </span>
      {why !== "" && <span className="booking-why">{why}</span>}
    </>
  );
};

type WaitingPartyProps = { entry: WaitlistEntry; message: VenueMessage | undefined };

const WaitingParty = ({ entry, message }: WaitingPartyProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { clockAheadMs } = useBookingContext();
  const waited = useOfClock((at) => Math.max(0, Math.floor((at + clockAheadMs - new Date(entry.added_at).getTime()) / MINUTE_MS)));
  const { act, isPending } = useAct(entry);
  // A notified party keeps the button, so that no other one moves under a finger.
  const acts: readonly WaitlistAct[] = entry.phone === "" ? ["remove", "seat"] : ["remove", "notify", "seat"];
  return (
    <li className="booking-row" data-phase="waiting" aria-labelledby={`waiting-${entry.id}`}>
      <span className="booking-time figures">{t("waitlist.waited", { minutes: waited })}</span>
      <span className="booking-party figures">
        <PersonIcon size={18} /> {entry.party_size}
      </span>
      <span className="booking-who">
        <b id={`waiting-${entry.id}`}>
          <bdi>{entry.name}</bdi>
        </b>
        <span className="booking-facts">{t("waitlist.quoted", { minutes: entry.quoted_minutes })}</span>
        {entry.note && <span className="booking-note">{entry.note}</span>}
      </span>
      <span className="booking-state">
        <PartyState entry={entry} message={message} />
      </span>
      <span className="booking-actions">
        {acts.map((kind) =>
          kind === "notify" && message?.can_retry ? (
            <SendAgain key={kind} message={message} />
          ) : (
            <Button
              key={kind}
              className="service-target"
              variant={kind === "seat" ? "filled" : "default"}
              disabled={isPending || (kind === "notify" && entry.notified_at !== null)}
              aria-label={`${t(`waitlist.acts.${kind}`)} ${entry.name}`}
              onClick={(event) => !isMisplacedTap(event, `${kind} ${entry.id}`) && void act(kind)}
            >
              {t(`waitlist.acts.${kind}`)}
            </Button>
          ),
        )}
      </span>
    </li>
  );
};
