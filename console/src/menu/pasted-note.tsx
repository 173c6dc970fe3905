/** The result of a pasted column of prices: how many were taken, and which rows were not. */
import { useTranslation } from "react-i18next";
import type { PastedColumn } from "./paste-column.ts";

const WRONG_SHOWN_MAX = 5;

type PastedNoteProps = { pasted: PastedColumn; done: string };

export const PastedNote = ({ pasted: { wrong, surplus }, done }: PastedNoteProps) => {
  const { t } = useTranslation();
  return (
    <div className="menu-pasted" role="status">
      <span>{done}</span>
      {wrong.slice(0, WRONG_SHOWN_MAX).map(({ row, text }) => (
        <span key={row} className="menu-fault">
          {t("menuEditor.pastedWrong", { row, text })}
        </span>
      ))}
      {wrong.length > WRONG_SHOWN_MAX && (
        <span className="menu-fault">{t("menuEditor.pastedMore", { count: wrong.length - WRONG_SHOWN_MAX })}</span>
      )}
      {surplus > 0 && <span className="menu-fault">{t("menuEditor.pastedSurplus", { count: surplus })}</span>}
    </div>
  );
};
