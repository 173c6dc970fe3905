import { Button, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SearchField } from "#kit/search-field.tsx";
import { ACTORS, type ActivitySearch } from "../search-params.ts";
import { AREAS } from "./activity-labels.ts";

type ActivityFiltersProps = { filter: ActivitySearch; onChange: (filter: ActivitySearch) => void };

export const ActivityFilters = ({ filter, onChange }: ActivityFiltersProps) => {
  const { t } = useTranslation();
  const set = (change: { [K in keyof ActivitySearch]: ActivitySearch[K] | null }) => {
    const given = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== null && value !== "");
    onChange(Object.fromEntries(given) as ActivitySearch);
  };
  const areas: { value: string; label: string }[] = AREAS.map((area) => ({ value: area, label: t(`activity.areas.${area}`) }));
  const isUnknown = filter.area !== undefined && !areas.some(({ value }) => value === filter.area);
  return (
    <search className="filters" aria-label={t("deliveries.filters")}>
      <Select
        label={t("activity.area")}
        placeholder={t("activity.anyArea")}
        clearable
        clearButtonProps={{ "aria-label": t("activity.anyArea") }}
        data={isUnknown ? [...areas, filter.area ?? ""] : areas}
        value={filter.area ?? null}
        onChange={(area) => set({ area })}
      />
      <Select
        label={t("activity.actor")}
        placeholder={t("activity.anyActor")}
        clearable
        clearButtonProps={{ "aria-label": t("activity.anyActor") }}
        data={ACTORS.map((actor) => ({ value: actor, label: t(`activity.actors.${actor}`) }))}
        value={filter.actor ?? null}
        onChange={(value) => set({ actor: ACTORS.find((actor) => actor === value) ?? null })}
      />
      <SearchField
        label={t("activity.subject")}
        placeholder={t("activity.subjectHint")}
        maxLength={80}
        value={filter.subject ?? ""}
        onChange={(subject) => set({ subject })}
      />
      <TextInput
        type="date"
        label={t("activity.from_day")}
        {...(filter.until === undefined ? {} : { max: filter.until })}
        value={filter.from ?? ""}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t("activity.until_day")}
        {...(filter.from === undefined ? {} : { min: filter.from })}
        value={filter.until ?? ""}
        onChange={(event) => set({ until: event.currentTarget.value })}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})} className="filters-clear">
          {t("activity.clear")}
        </Button>
      )}
    </search>
  );
};
