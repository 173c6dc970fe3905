import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";

const PAUSE_MS = 400;

type SearchFieldProps = {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string;
  error?: string | false;
  onChange: (value: string) => void;
};

/** A text filter that applies when typing pauses. */
export const SearchField = ({ value, onChange, ...rest }: SearchFieldProps) => {
  const [written, setWritten] = useState(value);
  useEffect(() => setWritten(value), [value]);
  const change = useDebouncedCallback((text: string) => onChange(text.trim()), PAUSE_MS);
  return (
    <TextInput
      {...rest}
      {...(written === "" ? {} : { dir: "ltr" })}
      spellCheck={false}
      autoComplete="off"
      value={written}
      onChange={(event) => {
        setWritten(event.currentTarget.value);
        change(event.currentTarget.value);
      }}
    />
  );
};
