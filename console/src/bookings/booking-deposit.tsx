/** The deposit of a booking: asked for, taken at the counter, given back. */

import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Button, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, minorDigits, minorUnits, wholeUnits } from "#kit/number-format.ts";
import { useBookingContext } from "./booking-context.ts";
import { canCancel, phaseOf } from "./phases.ts";
import { useBookingWrite } from "./use-booking-writes.ts";

const REASON_LENGTH_MIN = 3;
/** The most that the API can show. */
const AMOUNT_MAX = minor(2_147_483_647);

export const BookingDeposit = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { deposit_status: status } = booking.reservation;
  const isOpen = canCancel(phaseOf(booking));
  if (status === null && !isOpen) return null;
  return (
    <section>
      <h3 className="item-title">{t("deposit.title")}</h3>
      {isOpen && (status === null || status === "pending") && <AskDeposit booking={booking} />}
      {status === "pending" && (isOpen ? <TakeDeposit booking={booking} /> : <Text>{t("deposit.unpaid")}</Text>)}
      {status === "paid" && <RefundDeposit booking={booking} />}
      {status === "refunded" && <Text>{t("deposit.refunded")}</Text>}
    </section>
  );
};

const useAmount = (booking: DayBooking): string => {
  const { currency } = useBookingContext();
  return formatMoney(booking.reservation.deposit_minor ?? minor(0), currency);
};

/** What the three writes of a deposit have in common. */
const useDeposit = ({ reservation, version }: DayBooking) => {
  const { venue } = useBookingContext();
  const { write, isPending } = useBookingWrite(venue);
  return { write, isPending, params: { venue, reservation: reservation.id }, seen: { seen_version: version } };
};

const AskDeposit = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { currency } = useBookingContext();
  const { write, isPending, params, seen } = useDeposit(booking);
  const asked = booking.reservation.deposit_minor;
  const [amount, setAmount] = useState<number | string>(asked === null ? "" : wholeUnits(asked, currency));
  const amountMinor = minorUnits(Number(amount), currency);
  return (
    <Group align="end">
      <NumberInput
        label={t("deposit.amount", { currency })}
        min={0}
        max={wholeUnits(AMOUNT_MAX, currency)}
        decimalScale={minorDigits(currency)}
        value={amount}
        onChange={setAmount}
      />
      <Button
        variant="default"
        className="service-target"
        disabled={!(amountMinor > 0) || amountMinor === asked || isPending}
        onClick={() => write({ id: "askDeposit", params, body: { ...seen, amount_minor: amountMinor } })}
      >
        {t("deposit.ask")}
      </Button>
    </Group>
  );
};

const TakeDeposit = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const amount = useAmount(booking);
  const { write, isPending, params, seen } = useDeposit(booking);
  return (
    <Stack gap="sm">
      <Text>{t("deposit.due", { amount })}</Text>
      <Group>
        {(["cash", "card_terminal", "other"] as const).map((method) => (
          <Button
            key={method}
            variant="default"
            className="service-target"
            disabled={isPending}
            onClick={() => write({ id: "takeDeposit", params, body: { ...seen, method } })}
          >
            {t(`deposit.methods.${method}`)}
          </Button>
        ))}
      </Group>
    </Stack>
  );
};

const RefundDeposit = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const amount = useAmount(booking);
  const { write, isPending, params, seen } = useDeposit(booking);
  const [reason, setReason] = useState("");
  return (
    <Stack gap="sm">
      <Text>{t("deposit.paid", { amount })}</Text>
      <Group align="end">
        <TextInput
          dir="auto"
          label={t("deposit.reason")}
          maxLength={200}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        <Button
          variant="default"
          className="service-target"
          disabled={reason.trim().length < REASON_LENGTH_MIN || isPending}
          onClick={() => write({ id: "refundDeposit", params, body: { ...seen, reason: reason.trim() } })}
        >
          {t("deposit.refund")}
        </Button>
      </Group>
    </Stack>
  );
};
