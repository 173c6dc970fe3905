/** The deposit of a booking: asked for, taken at the counter, given back. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { Button, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, minorDigits } from "../ui/number-format.ts";
import { useBookingContext } from "./booking-context.ts";
import { canCancel, phaseOf } from "./phases.ts";
import { useDeposit } from "./use-booking-writes.ts";

const REASON_LENGTH_MIN = 3;
/** The most that the API can show. */
const AMOUNT_MINOR_MAX = 2_147_483_647;

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
  return formatMoney(booking.reservation.deposit_minor ?? 0, currency);
};

const AskDeposit = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, currency } = useBookingContext();
  const { write, isPending } = useDeposit(venue);
  const digits = minorDigits(currency);
  const asked = booking.reservation.deposit_minor;
  const [amount, setAmount] = useState<number | string>(asked === null ? "" : asked / 10 ** digits);
  const amountMinor = Math.round(Number(amount) * 10 ** digits);
  return (
    <Group align="end">
      <NumberInput
        label={t("deposit.amount", { currency })}
        min={0}
        max={AMOUNT_MINOR_MAX / 10 ** digits}
        decimalScale={digits}
        value={amount}
        onChange={setAmount}
      />
      <Button
        variant="default"
        className="service-target"
        disabled={!(amountMinor > 0) || amountMinor === asked || isPending}
        onClick={() => write({ booking, kind: "ask", amountMinor })}
      >
        {t("deposit.ask")}
      </Button>
    </Group>
  );
};

const TakeDeposit = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const amount = useAmount(booking);
  const { write, isPending } = useDeposit(venue);
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
            onClick={() => write({ booking, kind: "take", method })}
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
  const { venue } = useBookingContext();
  const amount = useAmount(booking);
  const { write, isPending } = useDeposit(venue);
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
          onClick={() => write({ booking, kind: "refund", reason: reason.trim() })}
        >
          {t("deposit.refund")}
        </Button>
      </Group>
    </Stack>
  );
};
