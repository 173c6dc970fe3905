/** The search above a list. What was typed is no name or address that a browser should complete. */
import { TextInput } from "@mantine/core";
import { SearchIcon } from "./icons.tsx";

type ListSearchProps = { label: string; value: string; onChange: (written: string) => void };

export const ListSearch = ({ label, value, onChange }: ListSearchProps) => (
  <TextInput
    className="guest-search"
    type="search"
    label={label}
    leftSection={<SearchIcon size={18} />}
    maxLength={80}
    autoComplete="off"
    spellCheck={false}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
