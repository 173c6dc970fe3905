/** What is on a card, by its code. */
import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import { Button, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "#kit/api.ts";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { useVenue } from "#shell/venue.ts";
import { CardCodeField, isWholeCode } from "./card-code-field.tsx";
import { CardEnd, CardFacts } from "./card-texts.tsx";

/** The code that was looked up is kept with the card: both belong to one moment. */
export const useLookUp = (venue: string, onFound: (card: GiftCardState, code: string) => void) => {
  const { t } = useTranslation();
  const toast = useToast();
  const looking = useMutation({
    mutationFn: async (code: string) => (await call("lookUpGiftCard", { params: { venue }, body: { code } })).data,
    networkMode: "always",
    onSuccess: onFound,
    onError: (error) => {
      if (!hasErrorCode(error, "validation_failed")) toast.error(error);
    },
  });
  return {
    isPending: looking.isPending,
    error: hasErrorCode(looking.error, "validation_failed") ? t("giftCards.codeUnknown") : undefined,
    lookUp: looking.mutate,
    reset: looking.reset,
  };
};

export const CheckCard = () => {
  const { t } = useTranslation();
  const [written, setWritten] = useState("");
  const [card, setCard] = useState<GiftCardState | null>(null);
  const { isPending, error, lookUp, reset } = useLookUp(useVenue(), setCard);
  return (
    <section className="sheet card-sheet" aria-labelledby="check-card">
      <Title order={2} id="check-card">
        {t("giftCards.check")}
      </Title>
      <Form
        className="card-check"
        onSubmit={() => {
          lookUp(written);
        }}
      >
        <CardCodeField
          written={written}
          error={error}
          onChange={(text) => {
            setWritten(text);
            setCard(null);
            reset();
          }}
        />
        <Button type="submit" size="md" variant="default" loading={isPending} disabled={!isWholeCode(written)}>
          {t("giftCards.checkSubmit")}
        </Button>
      </Form>
      <div role="status" className="card-checked">
        {card && (
          <>
            <CardEnd last4={card.code_last4} /> <CardFacts card={card} />
          </>
        )}
      </div>
    </section>
  );
};
