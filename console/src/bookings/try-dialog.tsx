/** "Four on Friday at eight?": whether guests would get a table, and why not. */
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { useBookingContext } from "./booking-context.ts";
import { TryBooking } from "./try-booking.tsx";

export const TryDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, zone } = useBookingContext();
  return (
    <Dialog isOpen onClose={onClose} title={t("tryIt")} size={480}>
      <TryBooking venue={venue} zone={zone} />
    </Dialog>
  );
};
