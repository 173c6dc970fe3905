/** The guest list on paper. It is there for printing alone. */
import type { SessionSheet } from "@comanda/contract/console/experiences.ts";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatSession } from "./session-figures.ts";

export const PrintedGuests = ({ sheet }: { sheet: SessionSheet }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const paid = sheet.bookings.filter(({ state }) => state === "paid");
  return createPortal(
    <div className="experience-print" aria-hidden="true">
      <p className="experience-print-title">
        {pick(sheet.experience.name)} · {formatSession(sheet.session.starts_at, sheet.zone)}
      </p>
      <p>
        {t("experiences.printed")} · {t("experiences.sold", { count: sheet.session.sold })}
      </p>
      <table>
        <tbody>
          {paid.map(({ id, name, phone, tickets, arrived }) => (
            <tr key={id}>
              <td className="experience-print-box" />
              <td>{name}</td>
              <td dir="ltr">{phone}</td>
              <td>{t("experiences.ticketCount", { count: tickets })}</td>
              <td>{arrived > 0 && t("experiences.arrivedCount", { arrived, tickets })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );
};
