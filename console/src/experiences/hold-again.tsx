/** Holds tickets again whose hold has run out, if as many seats are left. */
import type { SessionBooking } from "@comanda/contract/console/experiences.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type CallInput, call } from "../api.ts";
import { useVenue } from "../developer/venue.ts";
import { useToast } from "../ui/toast.ts";
import { useExperienceWrite } from "./experience-queries.ts";

export const HoldAgain = ({ booking }: { booking: SessionBooking }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useExperienceWrite<CallInput<"holdTicketsAgain">["body"], unknown>(
    venue,
    ({ key, body }) => call("holdTicketsAgain", { params: { venue, id: booking.id }, idempotencyKey: key, body }),
    () => toast.done(t("experiences.heldDone")),
  );
  return (
    <Button
      className="experience-target"
      variant="default"
      aria-label={t("experiences.holdAgainOf", { name: booking.name })}
      loading={isPending}
      onClick={() => write({ seen_version: booking.version })}
    >
      {t("experiences.holdAgain")}
    </Button>
  );
};
