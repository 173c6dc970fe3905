/** Parties that wait for a table: who, how many, for how long, and what they were told. */
import type { WaitlistEntry } from "@comanda/contract/console/bookings.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWrite } from "../kit/write.ts";
import { useOfClock } from "../ui/clock.ts";
import { PersonIcon } from "../ui/icons.tsx";
import { isMisplacedTap } from "../ui/second-tap.ts";
import { useToast } from "../ui/toast.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { bookingKeys } from "./day-query.ts";
import { useBookingWrite } from "./use-booking-writes.ts";

const MINUTE_MS = 60_000;

export const Waitlist = ({ entries }: { entries: readonly WaitlistEntry[] }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
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
          <WaitingParty key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  );
};

type WaitlistAct = "notify" | "seat" | "remove";

const useAct = (entry: WaitlistEntry) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const nameTables = useTableNames();
  const toast = useToast();
  const seating = useBookingWrite(venue);
  const telling = useWrite<"notifyWaiting" | "removeWaiting">({ readAgain: bookingKeys(venue) });
  const act = async (kind: WaitlistAct): Promise<void> => {
    const write = { params: { venue, entry: entry.id }, body: { seen_version: entry.version } };
    if (kind !== "seat") return telling.write({ id: kind === "notify" ? "notifyWaiting" : "removeWaiting", ...write });
    const seated = await seating.writeAndWait({ id: "seatWaiting", ...write });
    if (seated) toast.done(t("walkIn.seated", { count: entry.party_size, tables: nameTables(seated.data.table_ids) }));
  };
  return { act, isPending: seating.isPending || telling.isPending };
};

const WaitingParty = ({ entry }: { entry: WaitlistEntry }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { clockAheadMs } = useBookingContext();
  const waited = useOfClock((at) => Math.max(0, Math.floor((at + clockAheadMs - new Date(entry.added_at).getTime()) / MINUTE_MS)));
  const { act, isPending } = useAct(entry);
  // A party that was told keeps the button, so that no other one moves under a finger.
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
        <span className="booking-phase">{entry.notified_at === null ? t("waitlist.waits") : t("waitlist.told")}</span>
      </span>
      <span className="booking-actions">
        {acts.map((kind) => (
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
        ))}
      </span>
    </li>
  );
};
