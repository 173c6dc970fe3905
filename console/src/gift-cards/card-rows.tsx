/** Gift cards, each a link to its ledger. */
import type { ListedGiftCard } from "@comanda/contract/console/gift-cards.ts";
import { Link } from "@tanstack/react-router";
import { useVenue } from "#shell/venue.ts";
import { CardEnd, CardFacts } from "./card-texts.tsx";

export const CardRows = ({ rows, label }: { rows: readonly ListedGiftCard[]; label: string }) => {
  const venue = useVenue();
  return (
    <ul className="sheet guest-rows" aria-label={label}>
      {rows.map((card) => (
        <li key={card.id}>
          <Link to="/v/$venue/gift-cards/$card" params={{ venue, card: String(card.id) }} className="guest-row card-row">
            <span className="guest-row-main card-main">
              <CardEnd last4={card.code_last4} />
              {card.guest && <bdi className="hint">{card.guest.name}</bdi>}
            </span>
            <CardFacts card={card} />
          </Link>
        </li>
      ))}
    </ul>
  );
};
