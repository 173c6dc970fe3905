/** Whom the order is for: phone number first, because it finds the guest. */

import type { KnownGuest, OrderForm } from "@comanda/contract/console/staff-orders.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import { NativeSelect, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useEffectEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import { TimeField } from "#kit/time-field.tsx";
import { useKnownGuest } from "./new-order-queries.ts";
import { changePhone, type DraftChange, fillGuest, type OrderDraft, offeredTypes, phoneOf } from "./order-draft.ts";

type FieldsProps = { venue: string; form: OrderForm; draft: OrderDraft; onChange: (change: DraftChange) => void };

export const GuestFields = (props: FieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const { form, draft, onChange } = props;
  const types = offeredTypes(form);
  return (
    <section className="new-order-guest" aria-label={t("typeLabel")}>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          size="md"
          className="new-order-types"
          aria-label={t("typeLabel")}
          value={draft.type}
          onChange={(type) => onChange({ type: type as OrderType })}
          data={types.map((type) => ({ value: type, label: t(`types.${type}`) }))}
        />
        {draft.type === "dine_in" ? <TableFields {...props} /> : <ContactFields {...props} />}
        <TimeField size="md" label={t("time")} value={draft.time} onTime={(time) => onChange({ time })} />
        <TextInput
          size="md"
          dir="auto"
          label={t("note")}
          maxLength={500}
          value={draft.note}
          onChange={(event) => onChange({ note: event.currentTarget.value })}
        />
      </Stack>
    </section>
  );
};

const TableFields = ({ form, draft, onChange }: FieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  return (
    <>
      <NativeSelect
        size="md"
        label={t("table")}
        value={draft.tableCode}
        onChange={(event) => onChange({ tableCode: event.currentTarget.value })}
        data={[{ value: "", label: t("tableNone") }, ...form.tables.map(({ code, name }) => ({ value: code, label: name }))]}
      />
      <TextInput
        size="md"
        dir="auto"
        label={t("nameOptional")}
        maxLength={120}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
    </>
  );
};

const ContactFields = ({ venue, form, draft, onChange }: FieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const guest = useKnownGuest(venue, draft.phone);
  const fill = useEffectEvent((known: KnownGuest) => onChange((present) => fillGuest(present, known)));
  useEffect(() => {
    if (guest) fill(guest);
  }, [guest]);
  return (
    <>
      <TextInput
        size="md"
        type="tel"
        dir="ltr"
        label={t("phone")}
        maxLength={40}
        autoComplete="off"
        data-autofocus
        value={draft.phone}
        onChange={({ currentTarget: { value } }) => onChange((present) => changePhone(present, value))}
      />
      <Text size="sm" c="dimmed" role="status" className="new-order-known">
        {guest ? t("known", { name: guest.name, count: guest.visits_count }) : guest === null ? t("unknown") : ""}
        {guest && guest.phone !== phoneOf(draft) && <bdi dir="ltr"> {guest.phone}</bdi>}
      </Text>
      <TextInput
        size="md"
        dir="auto"
        label={t("name")}
        maxLength={120}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {draft.type === "delivery" && <AddressFields form={form} draft={draft} onChange={onChange} />}
    </>
  );
};

const AddressFields = ({ form, draft, onChange }: Omit<FieldsProps, "venue">) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const cities = useId();
  return (
    <>
      <TextInput
        size="md"
        dir="auto"
        label={t("street")}
        maxLength={255}
        autoComplete="off"
        value={draft.street}
        onChange={(event) => onChange({ street: event.currentTarget.value })}
      />
      <TextInput
        size="md"
        dir="auto"
        label={t("city")}
        maxLength={120}
        autoComplete="off"
        list={cities}
        value={draft.city}
        onChange={(event) => onChange({ city: event.currentTarget.value })}
      />
      <datalist id={cities}>
        {form.delivery_cities.map((city) => (
          <option key={city} value={city} />
        ))}
      </datalist>
    </>
  );
};
