/** A field for a whole code. A mistyped code is noticed before it is sent. */
import { GIFT_CARD_CODE_LENGTH, isGiftCardCode, plainGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

type CardCodeFieldProps = { written: string; error?: string | undefined; size?: "md" | "lg"; onChange: (written: string) => void };

export const isWholeCode = (written: string): boolean => isGiftCardCode(plainGiftCardCode(written));

export const CardCodeField = ({ written, error, size = "md", onChange }: CardCodeFieldProps) => {
  const { t } = useTranslation();
  const isMistyped = plainGiftCardCode(written).length >= GIFT_CARD_CODE_LENGTH && !isWholeCode(written);
  return (
    <TextInput
      size={size}
      dir="ltr"
      className="card-code-field"
      label={t("giftCards.code")}
      description={t("giftCards.codeHint")}
      error={isMistyped ? t("giftCards.codeMistyped") : error}
      maxLength={60}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      data-autofocus
      value={written}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};
