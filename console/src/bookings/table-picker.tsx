/** Chooses tables of one branch. Several are joined. */
import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useBookingContext } from "./booking-context.ts";

/** The most that a call takes. */
export const TABLES_MAX = 20;

/** Without a branch: the tables of all. */
type TablePickerProps = { branch: number | null; chosen: readonly number[]; onChange: (ids: number[]) => void; hint?: string };

export const TablePicker = ({ branch, chosen, onChange, hint }: TablePickerProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { tables, orders } = useBookingContext();
  const offered = tables.filter(({ branch_id }) => branch === null || branch_id === branch);
  if (offered.length === 0) return null;
  return (
    <Checkbox.Group
      label={t("form.tables")}
      description={hint ?? t("form.tablesHint")}
      value={chosen.map(String)}
      onChange={(values) => onChange(values.map(Number))}
    >
      <div className="table-picker">
        {offered.map(({ id, name, seats }) => (
          <Checkbox
            key={id}
            value={String(id)}
            label={[name, seats, orders.get(id)?.numbers ?? []].flat().join(" · ")}
            disabled={chosen.length >= TABLES_MAX && !chosen.includes(id)}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
};
