/** A time of day as text: the clock of a browser may have AM and PM where all other times of the page have 24 hours. */
import { TextInput, type TextInputProps } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isWholeTime, readTimeOfDay } from "./time-of-day.ts";

type TimeFieldProps = Omit<TextInputProps, "type" | "value" | "onChange" | "onBlur" | "onKeyDown"> & {
  /** `HH:MM`, or empty. */
  value: string;
  onTime: (time: string) => void;
};

export const TimeField = ({ value, onTime, error, ...props }: TimeFieldProps) => {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const isWrong = typed !== null && typed.trim() !== "" && readTimeOfDay(typed) === null;
  // A form is not sent while a text in it is no time.
  useEffect(() => field.current?.setCustomValidity(isWrong ? t("common.timeWrong") : ""), [isWrong, t]);
  const settle = (): void => {
    if (typed === null) return;
    setLeft(true);
    const time = readTimeOfDay(typed);
    if ((time ?? "") !== value) onTime(time ?? "");
    if (time !== null || typed.trim() === "") setTyped(null);
  };
  return (
    <TextInput
      {...props}
      ref={field}
      inputMode="numeric"
      autoComplete="off"
      placeholder="--:--"
      dir="ltr"
      maxLength={10}
      value={typed ?? value}
      error={isWrong && isLeft ? t("common.timeWrong") : error}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        setLeft(false);
        if (text.trim() === "") onTime("");
        else if (isWholeTime(text)) onTime(readTimeOfDay(text) ?? "");
      }}
      onBlur={settle}
      onKeyDown={({ key }: KeyboardEvent) => key === "Enter" && settle()}
    />
  );
};
