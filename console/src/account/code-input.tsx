import { TextInput } from "@mantine/core";

type CodeInputProps = { label: string; value: string; onChange: (code: string) => void; onComplete?: (code: string) => void };

/** One field instead of six: it can be pasted into, filled by the browser and read by a screen reader as one value. */
export const CodeInput = ({ label, value, onChange, onComplete }: CodeInputProps) => (
  <TextInput
    label={label}
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    autoFocus
    dir="ltr"
    maxLength={7}
    placeholder="000000"
    classNames={{ input: "code-input" }}
    value={value}
    onChange={(event) => {
      const code = event.currentTarget.value.replace(/\D/g, "").slice(0, 6);
      onChange(code);
      if (code.length === 6 && value.length < 6) onComplete?.(code);
    }}
  />
);
