/** A rating as five stars. Screen readers get "4 of 5". */
import { RATINGS } from "@comanda/contract/console/review-limits.ts";
import { useTranslation } from "react-i18next";

export const Stars = ({ rating }: { rating: number }) => {
  const { t } = useTranslation();
  return (
    <span className="review-stars" role="img" aria-label={t("reviews.rating", { value: rating })}>
      {RATINGS.map((place) => (
        <span key={place} className={place <= rating ? "review-star" : "review-star review-star-empty"}>
          {place <= rating ? "★" : "☆"}
        </span>
      ))}
    </span>
  );
};
