import { RATINGS } from "@comanda/contract/console/review-limits.ts";
import type { Command } from "commander";
import { UserError } from "#lib/errors.ts";
import { findReviews } from "#venue/guest-records/reviews/service/inbox.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { print, table } from "./print.ts";

const ROWS = 100;

type ReviewOptions = { rating?: string; json?: boolean };

export const addReviewsCommand = (program: Command): void => {
  program
    .command("reviews <slug>")
    .description("reviews of guests, newest first")
    .option("--rating <rating>", "only those of this rating, from 1 to 5")
    .option("--json", "print JSON")
    .action(list);
};

const readRating = (text: string | undefined): number | undefined => {
  const rating = RATINGS.find((one) => String(one) === text);
  if (text !== undefined && rating === undefined) throw new UserError("A rating is a whole number from 1 to 5.");
  return rating;
};

const list = (slug: string, { rating, json = false }: ReviewOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const wanted = readRating(rating);
    const { data } = await forVenue(deps, slug, (ctx) => findReviews(ctx, { rating: wanted, rows: ROWS }));
    print(json, data, () =>
      table(
        data.map(({ id, created_at, rating: given, guest_name, comment, replied_at }) => ({
          id,
          created_at,
          rating: given,
          guest_name,
          comment,
          replied_at,
        })),
      ),
    );
  });
