/** Fields of a card's forms: the amount, and the reason that the activity log keeps. */
import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

const REASON_LENGTH_MIN = 3;

export const isReason = (written: string): boolean => written.trim().length >= REASON_LENGTH_MIN;

type WrittenProps = { value: string; onChange: (written: string) => void };

export const ReasonField = ({ value, onChange }: WrittenProps) => {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("giftCards.reason")}
      description={t("giftCards.reasonHint")}
      size="md"
      dir="auto"
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};

type CardAmountProps = WrittenProps & { currency: string } & Pick<TextInputProps, "label" | "description" | "error">;

export const CardAmount = ({ currency, onChange, ...field }: CardAmountProps) => (
  <TextInput
    {...field}
    size="lg"
    dir="ltr"
    inputMode="decimal"
    autoComplete="off"
    className="figures"
    rightSection={currency}
    rightSectionWidth={64}
    data-autofocus
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
