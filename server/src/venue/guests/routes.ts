import type { guestOperations } from "@comanda/contract/venue/guests.ts";
import type { Handlers } from "#http/api/operations.ts";
import { cutPage, presentPage, readPage } from "#http/api/pagination.ts";
import { one } from "#http/reply.ts";
import { because, validationError } from "#lib/errors.ts";
import { readSpan } from "#lib/instant.ts";
import { presentGuest } from "./present.ts";
import { readGuest, readGuests } from "./service.ts";

export const guestRoutes: Pick<Handlers, keyof typeof guestOperations> = {
  listGuests: async (ctx, { query }) => {
    const { marketing_opted_in: optedIn, updated_since: since, ...paging } = query();
    const span = since === undefined ? undefined : readSpan(since, ctx.tenant.zone);
    if (span === null)
      throw validationError({
        updated_since: [
          because("Must be a date, or a date-time with an offset, such as 2026-11-14T19:30:00+01:00.", "not_a_date_or_date_time"),
        ],
      });
    const request = readPage(ctx, "guests", paging);
    const [id, pageHorizon] = (request.position?.keys ?? []) as [number?, string?];
    const { rows, commitHorizon } = await readGuests(
      ctx,
      {
        isOptedIn: optedIn === undefined ? undefined : optedIn === "true" || optedIn === "1",
        updatedSince: span?.start,
        commitHorizon: pageHorizon,
      },
      request.position?.direction === "prev" ? { beforeId: id } : { afterId: id },
      request.perPage + 1,
    );
    const horizonKeys = commitHorizon === null ? [] : [commitHorizon];
    const page = cutPage(ctx, "guests", request, { rows, keysOf: (guest) => [guest.id, ...horizonKeys] });
    return presentPage(
      page.rows.map((guest) => presentGuest(guest, ctx.tenant.zone)),
      page,
      request.perPage,
      {},
    );
  },

  getGuest: async (ctx, { params }) => one(await readGuest(ctx, params.id)),
};
