/** A quantity with its unit, and what is to be noticed about a level. */
import type { StockLevel } from "@comanda/contract/console/stock.ts";
import type { StockUnit } from "@comanda/contract/console/stock-kinds.ts";
import { useTranslation } from "react-i18next";
import { formatChange, formatQuantity } from "./quantities.ts";

/** In Arabic a direction mark stands before a sign. Isolated, it does not move the unit to the other side. */
export const Quantity = ({ value, unit, isChange = false }: { value: number; unit: StockUnit; isChange?: boolean }) => {
  const { t } = useTranslation();
  return (
    <bdi className="figures">
      <bdi dir="ltr">{isChange ? formatChange(value) : formatQuantity(value)}</bdi> {t(`stock.units.${unit}`)}
    </bdi>
  );
};

export const isBelowPar = ({ on_hand, par_level }: StockLevel): boolean => par_level !== null && on_hand < par_level;

/** Marks are words, because colour alone is not enough. */
export const LevelMarks = ({ level }: { level: StockLevel }) => {
  const { t } = useTranslation();
  const isOut = level.is_known && level.on_hand <= 0;
  return (
    <>
      {!level.is_known && <span className="hint">{t("stock.uncounted")}</span>}
      {isOut && <span className="stock-mark stock-out">{t("stock.out")}</span>}
      {!isOut && level.is_known && isBelowPar(level) && <span className="stock-mark stock-below">{t("stock.belowPar")}</span>}
      {level.sells_out && <span className="hint">{t("stock.sellsOutMark")}</span>}
    </>
  );
};
