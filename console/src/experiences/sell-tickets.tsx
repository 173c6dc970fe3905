/** Name, phone, e-mail and number of tickets: they are held for five minutes, and the payment comes next. Free ones are sold at once. */
import { TICKETS_MAX } from "@comanda/contract/console/experience-limits.ts";
import type { SessionSheet } from "@comanda/contract/console/experiences.ts";
import { Button, Text, TextInput, Title } from "@mantine/core";
import { type Ref, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CallInput, type CallReply, call } from "../api.ts";
import { useVenue } from "../developer/venue.ts";
import { NumberField } from "../ui/number-field.tsx";
import { formatMoney } from "../ui/number-format.ts";
import { useToast } from "../ui/toast.ts";
import { useExperienceWrite } from "./experience-queries.ts";
import { leftOf } from "./session-figures.ts";

type Buyer = { name: string; phone: string; email: string; tickets: number };

const NEW_BUYER: Buyer = { name: "", phone: "", email: "", tickets: 2 };

/** The key is that of the tap: a lost answer is asked for again, and the tickets are booked once. */
const useBooking = (sheet: SessionSheet, onBooked: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  return useExperienceWrite<CallInput<"bookTickets">["body"], CallReply<"bookTickets">>(
    venue,
    ({ key, body }) => call("bookTickets", { params: { venue, id: sheet.session.id }, idempotencyKey: key, body }),
    ({ data }) => {
      toast.done(t(data.state === "paid" ? "experiences.soldFree" : "experiences.heldDone"));
      onBooked();
    },
  );
};

export const SellTickets = ({ sheet }: { sheet: SessionSheet }) => {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  const [buyer, setBuyer] = useState<Buyer>(NEW_BUYER);
  const change = (part: Partial<Buyer>): void => setBuyer((before) => ({ ...before, ...part }));
  const { write, isPending } = useBooking(sheet, () => {
    setBuyer(NEW_BUYER);
    first.current?.focus();
  });
  const most = Math.min(TICKETS_MAX, leftOf(sheet.session));
  const tickets = Math.min(buyer.tickets, most);
  const { price_minor: price } = sheet.experience;
  return (
    <section className="sheet experience-card" aria-labelledby="experience-sell">
      <Title order={2} id="experience-sell">
        {t("experiences.sell")}
      </Title>
      <Text c="dimmed">{t("experiences.contactHint")}</Text>
      <form
        className="experience-form"
        onSubmit={(event) => {
          event.preventDefault();
          write({ tickets, name: buyer.name.trim(), phone: buyer.phone.trim() || null, email: buyer.email.trim() || null });
        }}
      >
        <BuyerFields first={first} buyer={buyer} onChange={change} />
        <NumberField
          label={t("experiences.tickets")}
          className="experience-tickets"
          min={1}
          max={most}
          value={tickets}
          onChange={(count) => change({ tickets: count })}
        />
        <div className="experience-submit">
          <Text role="status" className="figures">
            {price > 0 && t("experiences.together", { amount: formatMoney(price * tickets, sheet.currency) })}
          </Text>
          <Button type="submit" className="experience-target" disabled={buyer.name.trim() === ""} loading={isPending}>
            {t(price === 0 ? "experiences.bookFree" : "experiences.hold")}
          </Button>
        </div>
      </form>
    </section>
  );
};

type BuyerFieldsProps = { first: Ref<HTMLInputElement>; buyer: Buyer; onChange: (part: Partial<Buyer>) => void };

const BuyerFields = ({ first, buyer, onChange }: BuyerFieldsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        ref={first}
        label={t("experiences.guestName")}
        size="md"
        dir="auto"
        maxLength={120}
        autoComplete="off"
        value={buyer.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        type="tel"
        label={t("experiences.phone")}
        size="md"
        dir="ltr"
        maxLength={40}
        autoComplete="off"
        value={buyer.phone}
        onChange={(event) => onChange({ phone: event.currentTarget.value })}
      />
      <TextInput
        type="email"
        label={t("experiences.email")}
        size="md"
        dir="ltr"
        maxLength={254}
        autoComplete="off"
        value={buyer.email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
      />
    </>
  );
};
