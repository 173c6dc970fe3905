/** Pays held tickets with a gift card: the whole amount, by the card's code. */
import "#gift-cards/gift-cards.css";
import type { SessionBooking } from "@comanda/contract/console/experiences.ts";
import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CardCodeField, isWholeCode } from "#gift-cards/card-code-field.tsx";
import { enGiftCards } from "#gift-cards/texts.en.ts";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";

addEnglishTexts(enGiftCards);

type GiftCardDialogProps = { booking: SessionBooking; amount: string; onClose: () => void };

export const GiftCardDialog = ({ booking, amount, onClose }: GiftCardDialogProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [code, setCode] = useState("");
  const { write, isPending } = useWrite<"payTicketsWithGiftCard">({
    readAgain: experienceKeys(venue),
    onDone: () => toast.done(t("experiences.paid")),
    onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title={t("experiences.giftCardTitle")}>
      <Form
        onSubmit={() => {
          write({ id: "payTicketsWithGiftCard", params: { venue, id: booking.id }, body: { seen_version: booking.version, code } });
        }}
      >
        <Stack gap="lg">
          <Text>{t("experiences.giftCardLead", { amount })}</Text>
          <CardCodeField size="lg" written={code} onChange={setCode} />
          <Button type="submit" className="experience-target" disabled={!isWholeCode(code)} loading={isPending}>
            {t("experiences.giftCardSubmit", { amount })}
          </Button>
        </Stack>
      </Form>
    </Dialog>
  );
};
