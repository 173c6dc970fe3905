/** What a file would create, change and remove, area by area. */
import type { AreaChange, FileArea, FileComparison, NamedCount } from "@comanda/contract/console/venue-file.ts";
import { Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Areas without entries: the names of their members in the file are code. */
const RULES: readonly FileArea[] = ["restaurant", "ordering", "booking", "charges", "reviews", "shifts"];
const KINDS = ["created", "changed", "removed"] as const;

type ComparisonListProps = { fileName: string; comparison: FileComparison };

export const ComparisonList = ({ fileName, comparison: { areas, left_out } }: ComparisonListProps) => {
  const { t } = useTranslation();
  const people = left_out.staff + left_out.guests;
  return (
    <section className="file-comparison" aria-labelledby="file-comparison">
      <Title order={3} size="h4" id="file-comparison">
        <bdi>{fileName}</bdi>
      </Title>
      {areas.length === 0 && <Text>{t("venueFile.same")}</Text>}
      {areas.length > 0 && (
        <ul>
          {areas.map((change) => (
            <AreaItem key={change.area} change={change} />
          ))}
        </ul>
      )}
      {people > 0 && (
        <Text size="sm" c="dimmed">
          {t("venueFile.leftOut", left_out)}
        </Text>
      )}
    </section>
  );
};

const AreaItem = ({ change }: { change: AreaChange }) => {
  const { t } = useTranslation();
  const isCode = RULES.includes(change.area);
  return (
    <li className="file-area">
      <b>{t(`venueFile.areas.${change.area}`)}</b>
      {KINDS.map(
        (kind) =>
          change[kind].count > 0 && (
            <span key={kind} className={`file-change file-${kind}`}>
              {t(`venueFile.${kind}`, { count: change[kind].count })}: <Names named={change[kind]} isCode={isCode} />
            </span>
          ),
      )}
      {change.is_reordered && <span className="file-change">{t("venueFile.reordered")}</span>}
    </li>
  );
};

const Names = ({ named: { count, names }, isCode }: { named: NamedCount; isCode: boolean }) => {
  const { t } = useTranslation();
  const more = count - names.length;
  return (
    <>
      {names.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have the same name.
        <span key={at}>
          {at > 0 && t("venueFile.comma")}
          {isCode ? <span className="code">{name}</span> : <bdi>{name}</bdi>}
        </span>
      ))}
      {more > 0 && ` ${t("venueFile.more", { count: more })}`}
    </>
  );
};
