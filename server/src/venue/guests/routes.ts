import type { guestOperations } from "@comanda/contract/guests.ts";
import type { Handlers } from "#http/bind.ts";
import { cutPage, presentPage, readPage } from "#http/page.ts";
import { one } from "#http/reply.ts";
import { invalid } from "#lib/errors.ts";
import { readSpan } from "#lib/instant.ts";
import { presentGuest } from "./present.ts";
import { readGuest, readGuests } from "./service.ts";

export const guestRoutes: Pick<Handlers, keyof typeof guestOperations> = {
  listGuests: async (ctx, { query }) => {
    const { marketing_opted_in: optedIn, updated_since: since, ...paging } = query();
    const span = since === undefined ? undefined : readSpan(since, ctx.tenant.zone);
    if (span === null) throw invalid({ updated_since: ["Must be a date, or a date-time with an offset."] });
    const request = readPage(ctx, "guests", paging);
    const [id, walkedUntil] = (request.position?.keys ?? []) as [number?, string?];
    const { rows, settledUntil } = await readGuests(
      ctx,
      {
        isOptedIn: optedIn === undefined ? undefined : optedIn === "true" || optedIn === "1",
        updatedSince: span?.start,
        settledUntil: walkedUntil,
      },
      request.position?.direction === "prev" ? { beforeId: id } : { afterId: id },
      request.perPage + 1,
    );
    const walk = settledUntil === null ? [] : [settledUntil];
    const page = cutPage(ctx, "guests", request, { rows, keysOf: (guest) => [guest.id, ...walk] });
    return presentPage(
      page.rows.map((guest) => presentGuest(guest, ctx.tenant.zone)),
      page,
      request.perPage,
      {},
    );
  },

  getGuest: async (ctx, { params }) => one(await readGuest(ctx, params.id)),
};
