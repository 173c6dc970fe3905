/** Gives back all that is left of what was paid for tickets, with a reason. Free ones are cancelled. */
import type { SessionBooking } from "@comanda/contract/console/experiences.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

type RefundTicketsProps = { booking: SessionBooking; currency: string; onClose: () => void };

/** The texts of a refund, and of free tickets, for which nothing is given back. */
const useRefundTexts = ({ name, method, refundable_minor }: SessionBooking, currency: string) => {
  const { t } = useTranslation();
  if (method === null)
    return {
      title: t("experiences.cancelTicketsTitle", { name }),
      lead: t("experiences.cancelTicketsLead"),
      action: t("experiences.cancelTicketsSubmit"),
      done: t("experiences.ticketsCancelled"),
    };
  return {
    title: t("experiences.refundTitle", { name }),
    lead: t("experiences.refundLead", {
      amount: formatMoney(refundable_minor, currency),
      method: t(`experiences.methods.${method}`),
    }),
    action: t("experiences.refundSubmit"),
    done: t("experiences.refunded"),
  };
};

export const RefundDialog = ({ booking, currency, onClose }: RefundTicketsProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { title, lead, action, done } = useRefundTexts(booking, currency);
  const { write, isPending } = useWrite<"refundTickets">({
    readAgain: experienceKeys(venue),
    onDone: () => toast.done(done),
    onClose,
  });
  return (
    <ReasonDialog
      title={title}
      action={action}
      keep={t("experiences.keepTickets")}
      isPending={isPending}
      onSubmit={(reason) =>
        write({ id: "refundTickets", params: { venue, id: booking.id }, body: { seen_version: booking.version, reason } })
      }
      onClose={onClose}
    >
      <Text>{lead}</Text>
    </ReasonDialog>
  );
};
