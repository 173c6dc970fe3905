/** One ticket, or a part of a long one. */
import type { KitchenLine, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { CheckIcon, WarningIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { countKeyOf, holdsCount } from "./day-counts.ts";
import { useKitchenContext, useTicketNames } from "./kitchen-actions.ts";
import { hasUnseenStrike } from "./ticket-changes.ts";
import { TicketHead, useTicketLateness } from "./ticket-head.tsx";
import type { TicketPart } from "./ticket-pages.ts";

type TicketCardProps = {
  part: TicketPart;
  /** The digit that bumps it. */
  place: number | null;
  isSelected: boolean;
  isWaiting: boolean;
  isJoined: boolean;
  isFollowed: boolean;
  litKey: string | null;
};

/**
 * The person who hands the dish out reads it. "Not stated" is said, because a dish without a word has none of the allergens. A copy that
 * this device kept from before lines had allergens says nothing about them either.
 */
const LineAllergens = ({ allergens }: { allergens: KitchenLine["allergens"] | undefined }) => {
  const { t } = useTranslation();
  const isStated = allergens !== null && allergens !== undefined;
  if (isStated && allergens.length === 0) return null;
  if (!isStated) return <span className="kd-allergens">{t("kitchen.allergensNotStated")}</span>;
  const names = allergens.map((allergen) => t(`kitchen.allergenNames.${allergen}`)).join(t("kitchen.allergensAnd"));
  return (
    <span className="kd-allergens" data-stated>
      <WarningIcon size={20} />
      <span>
        <b>{t("kitchen.allergens")}:</b> {names}
      </span>
    </span>
  );
};

const Line = ({ ticket, line, isLit }: { ticket: KitchenTicket; line: KitchenLine; isLit: boolean }) => {
  const { t } = useTranslation();
  const { actions, isExpo } = useKitchenContext();
  const nameOf = useLocalizedName();
  const onTap = (): void => (line.is_struck ? actions.acknowledge(ticket) : actions.toggleLine(ticket, line));
  const isHandedOut = isExpo && !line.is_struck && ticket.state !== "voided";
  const pressed = line.is_struck ? {} : { "aria-pressed": line.is_done };
  const marks = { "data-done": line.is_done || undefined, "data-struck": line.is_struck || undefined, "data-lit": isLit || undefined };
  return (
    <li>
      <button type="button" className="kd-line" disabled={ticket.state !== "fired"} onClick={onTap} {...pressed} {...marks}>
        <span className="kd-quantity figures">{line.quantity}</span>
        <span className="kd-dish">
          <span className="kd-dish-name">
            {nameOf(line.name)}
            {line.variant_name && <span className="kd-size"> {nameOf(line.variant_name)}</span>}
          </span>
          {line.modifiers.map((modifier, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the modifiers of a line do not change.
            <span key={place} className="kd-modifier">
              {nameOf(modifier.name)}
            </span>
          ))}
          {isHandedOut && <LineAllergens allergens={line.allergens} />}
          {line.is_struck && <b className="kd-struck-word">{t("kitchen.struck")}</b>}
        </span>
        {line.is_done && !line.is_struck && <CheckIcon size={32} />}
      </button>
    </li>
  );
};

const Note = ({ text }: { text: string }) => {
  const { t } = useTranslation();
  return (
    <p className="kd-note">
      <b>{t("kitchen.note")}:</b> <bdi>{text}</bdi>
    </p>
  );
};

export const TicketCard = memo(({ part, place, isSelected, isWaiting, isJoined, isFollowed, litKey }: TicketCardProps) => {
  const { t } = useTranslation();
  const { actions } = useKitchenContext();
  const { nameOf, whoOf } = useTicketNames();
  const { ticket, lines } = part;
  const kind = useTicketLateness(ticket);
  const isLit = litKey !== null && holdsCount(ticket, litKey);
  const isLast = part.part === part.parts - 1;
  const needsAcknowledgement = ticket.state === "voided" || hasUnseenStrike(ticket);
  const marks = {
    "data-part": part.key,
    "data-kind": kind,
    "data-state": ticket.state,
    "data-selected": isSelected || undefined,
    "data-lit": isLit || undefined,
    "data-joined": isJoined || undefined,
    "data-followed": isFollowed || undefined,
  };
  return (
    <article className="kd-ticket" aria-label={t("kitchen.ticketOf", { name: nameOf(ticket), who: whoOf(ticket) })} {...marks}>
      <TicketHead part={part} place={place} isWaiting={isWaiting} />
      {ticket.note !== null && part.part === 0 && <Note text={ticket.note} />}
      <ul className="kd-lines">
        {lines.map((line) => (
          <Line
            key={line.index}
            ticket={ticket}
            line={line}
            isLit={isLit && !line.is_done && !line.is_struck && countKeyOf(line) === litKey}
          />
        ))}
      </ul>
      {needsAcknowledgement && isLast && (
        <button type="button" className="kd-got-it" onClick={() => actions.acknowledge(ticket)}>
          <CheckIcon size={30} /> {t("kitchen.gotIt")}
        </button>
      )}
    </article>
  );
});
