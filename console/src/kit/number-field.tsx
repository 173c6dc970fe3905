/** A whole number within bounds. What is typed may be incomplete for a moment; only numbers within the bounds are passed on. */
import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";

type NumberFieldProps = Omit<NumberInputProps, "value" | "onChange" | "onBlur" | "clampBehavior" | "min" | "max"> & {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
};

export const NumberField = ({ value, min, max, onChange, ...props }: NumberFieldProps) => {
  const [typed, setTyped] = useState<number | string | null>(null);
  const type = (text: number | string): void => {
    setTyped(text);
    const number = Number(text);
    if (text !== "" && Number.isInteger(number) && number >= min && number <= max) onChange(number);
  };
  const leave = (): void => {
    const number = Number(typed);
    if (typed !== null && typed !== "" && Number.isFinite(number)) onChange(Math.min(max, Math.max(min, Math.round(number))));
    setTyped(null);
  };
  return (
    <NumberInput
      size="md"
      allowDecimal={false}
      allowNegative={false}
      {...props}
      clampBehavior="none"
      min={min}
      max={max}
      value={typed ?? value}
      onChange={type}
      onBlur={leave}
    />
  );
};
