/** Name, phone, e-mail and number of tickets: they are held for five minutes, and the payment comes next. Free ones are sold at once. */

import { TICKETS_MAX } from "@comanda/contract/console/experience-limits.ts";
import type { SessionSheet } from "@comanda/contract/console/experiences.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Button, Text, TextInput, Title } from "@mantine/core";
import { type Ref, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isUnanswered, type KeyedCallInput } from "#kit/api.ts";
import { Form } from "#kit/form.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";
import { leftOf } from "./session-figures.ts";

type Buyer = { name: string; phone: string; email: string; tickets: number };

const NEW_BUYER: Buyer = { name: "", phone: "", email: "", tickets: 2 };

const useBooking = (sheet: SessionSheet, onBooked: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending, error, wanted } = useWrite<"bookTickets">({
    readAgain: experienceKeys(venue),
    onDone: ({ data }) => {
      toast.done(t(data.state === "paid" ? "experiences.soldFree" : "experiences.heldDone"));
      onBooked();
    },
  });
  return {
    isPending,
    book: (body: KeyedCallInput<"bookTickets">["body"]): void =>
      write({ id: "bookTickets", params: { venue, id: sheet.session.id }, body }),
    /** The tickets of a booking without an answer. They may be held already, so they are not among those that are left. */
    unanswered: error !== null && isUnanswered(error) ? (wanted?.body.tickets ?? 0) : 0,
  };
};

export const SellTickets = ({ sheet }: { sheet: SessionSheet }) => {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  const [buyer, setBuyer] = useState<Buyer>(NEW_BUYER);
  const change = (part: Partial<Buyer>): void => setBuyer((before) => ({ ...before, ...part }));
  const { book, isPending, unanswered } = useBooking(sheet, () => {
    setBuyer(NEW_BUYER);
    first.current?.focus();
  });
  const most = Math.min(TICKETS_MAX, Math.max(leftOf(sheet.session), unanswered));
  const tickets = Math.min(buyer.tickets, most);
  const { price_minor: price } = sheet.experience;
  return (
    <section className="sheet experience-card" aria-labelledby="experience-sell">
      <Title order={2} id="experience-sell">
        {t("experiences.sell")}
      </Title>
      <Text c="dimmed">{t("experiences.contactHint")}</Text>
      <Form
        className="experience-form"
        onSubmit={() => {
          book({ tickets, name: buyer.name.trim(), phone: buyer.phone.trim() || null, email: buyer.email.trim() || null });
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
            {price > 0 && t("experiences.together", { amount: formatMoney(minor(price * tickets), sheet.currency) })}
          </Text>
          <Button type="submit" className="experience-target" disabled={buyer.name.trim() === ""} loading={isPending}>
            {t(price === 0 ? "experiences.bookFree" : "experiences.hold")}
          </Button>
        </div>
      </Form>
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
