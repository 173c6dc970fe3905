/** Holds tickets again whose hold has run out, if as many seats are left. */
import type { SessionBooking } from "@comanda/contract/console/experiences.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";

export const HoldAgain = ({ booking }: { booking: SessionBooking }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"holdTicketsAgain">({
    readAgain: experienceKeys(venue),
    onDone: () => toast.done(t("experiences.heldDone")),
  });
  return (
    <Button
      className="experience-target"
      variant="default"
      aria-label={t("experiences.holdAgainOf", { name: booking.name })}
      loading={isPending}
      onClick={() => write({ id: "holdTicketsAgain", params: { venue, id: booking.id }, body: { seen_version: booking.version } })}
    >
      {t("experiences.holdAgain")}
    </Button>
  );
};
