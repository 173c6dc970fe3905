/** Which tables are pushed together with the chosen one for a large party, and how many sit there then. */
import { ActionIcon, Button, Chip, Input, Stack, Text } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { BinIcon } from "#kit/icons.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { addJoin, changeJoin, type DraftJoin, type DraftTable, type FloorDraft, removeJoin } from "./floor-draft.ts";

/** The tables of one combination. */
const TABLES_MAX = 10;
const SEATS_MAX = 500;

type TableJoinsProps = { draft: FloorDraft; table: DraftTable; onDraft: (draft: FloorDraft) => void };

export const TableJoins = ({ draft, table, onDraft }: TableJoinsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "floor" });
  const joins = draft.joins.flatMap((join, at) => (join.tableIds.includes(table.id) ? [{ join, at }] : []));
  const nameOthers = ({ tableIds }: DraftJoin): string =>
    draft.tables
      .filter(({ id }) => id !== table.id && tableIds.includes(id))
      .map(({ name }) => name)
      .join(" + ");
  return (
    <Input.Wrapper label={t("joins")} labelElement="div" description={t("joinsHint")}>
      <Stack gap="xs" mt="xs">
        {joins.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("joinsNone")}
          </Text>
        )}
        {joins.map(({ join, at }) => (
          <div key={at} className="floor-join">
            <NumberField
              className="grow"
              label={t("joinSeats", { tables: nameOthers(join) })}
              min={1}
              max={SEATS_MAX}
              value={join.seats}
              onChange={(seats) => onDraft(changeJoin(draft, at, seats))}
            />
            <ActionIcon
              variant="default"
              size={44}
              aria-label={t("joinEnd", { tables: nameOthers(join) })}
              onClick={() => onDraft(removeJoin(draft, at))}
            >
              <BinIcon />
            </ActionIcon>
          </div>
        ))}
        <NewJoin key={table.id} draft={draft} table={table} onDraft={onDraft} />
      </Stack>
    </Input.Wrapper>
  );
};

const NewJoin = ({ draft, table, onDraft }: TableJoinsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "floor" });
  const label = useId();
  const [chosen, setChosen] = useState<number[]>([]);
  const others = draft.tables.filter(({ id }) => id !== table.id);
  if (others.length === 0) return null;
  const known = chosen.filter((id) => others.some((other) => other.id === id));
  const add = (): void => {
    onDraft(addJoin(draft, [table.id, ...known]));
    setChosen([]);
  };
  return (
    <>
      <Text size="sm" id={label}>
        {t("joinWith")}
      </Text>
      <fieldset className="floor-join-choice" aria-labelledby={label}>
        {others.map(({ id, name }) => (
          <Chip
            key={id}
            size="md"
            checked={known.includes(id)}
            disabled={!known.includes(id) && known.length >= TABLES_MAX - 1}
            onChange={(isChosen) => setChosen(isChosen ? [...known, id] : known.filter((one) => one !== id))}
          >
            <bdi>{name}</bdi>
          </Chip>
        ))}
      </fieldset>
      <Button variant="default" size="md" disabled={known.length === 0} onClick={add}>
        {t("joinAdd")}
      </Button>
    </>
  );
};
