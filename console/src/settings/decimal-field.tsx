/** Amounts and rates. What is typed may be incomplete for a moment; only numbers within the bounds are passed on. */
import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";
import { minorDigits } from "../ui/number-format.ts";

type TypedNumberProps = Omit<NumberInputProps, "value" | "onChange" | "onBlur" | "clampBehavior" | "min" | "max">;
type DecimalFieldProps = TypedNumberProps & {
  value: number | null;
  max: number;
  digits: number;
  /** All digits are shown unless the field is being typed in. */
  isMoney?: boolean;
  onChange: (value: number | null) => void;
};

const DecimalField = ({ value, max, digits, isMoney = false, onChange, ...props }: DecimalFieldProps) => {
  const [typed, setTyped] = useState<number | string | null>(null);
  const type = (text: number | string): void => {
    setTyped(text);
    const number = Number(text);
    if (text === "") onChange(null);
    else if (Number.isFinite(number) && number >= 0 && number <= max) onChange(number);
  };
  return (
    <NumberInput
      size="md"
      allowNegative={false}
      decimalScale={digits}
      fixedDecimalScale={isMoney && typed === null}
      {...props}
      clampBehavior="none"
      min={0}
      max={max}
      value={typed ?? value ?? ""}
      onChange={type}
      onBlur={() => setTyped(null)}
    />
  );
};

/** The contract allows no more. */
const AMOUNT_MAX_MINOR = 2_147_483_647;

type AmountFieldProps = TypedNumberProps & { minor: number | null; currency: string; onMinor: (minor: number | null) => void };

/** In the currency's own unit; an empty field is null. */
export const AmountField = ({ minor, currency, onMinor, ...props }: AmountFieldProps) => {
  const digits = minorDigits(currency);
  const unit = 10 ** digits;
  return (
    <DecimalField
      {...props}
      isMoney
      digits={digits}
      max={AMOUNT_MAX_MINOR / unit}
      value={minor === null ? null : minor / unit}
      onChange={(amount) => onMinor(amount === null ? null : Math.round(amount * unit))}
    />
  );
};

type PercentFieldProps = TypedNumberProps & { percent: number; onPercent: (percent: number) => void };

export const PercentField = ({ percent, onPercent, ...props }: PercentFieldProps) => (
  <DecimalField suffix=" %" {...props} digits={3} max={100} value={percent} onChange={(value) => onPercent(value ?? 0)} />
);
