import type { menuOperations } from "@comanda/contract/venue/menu-operations.ts";
import type { Handlers } from "#http/api/operations.ts";
import { cutPage, presentPage, readPage } from "#http/api/pagination.ts";
import { list, one } from "#http/reply.ts";
import type { Ctx } from "#lib/context.ts";
import { addItem, changeItem, findItemForChange, readCategories, readItem, readItems, readMenu, readMenus } from "./service/items.ts";

const oneItem = <T>(ctx: Ctx, item: T) => one(item, { currency: ctx.tenant.currency });

export const menuRoutes: Pick<Handlers, keyof typeof menuOperations> = {
  listMenus: async (ctx) => list(await readMenus(ctx), { currency: ctx.tenant.currency }),

  getMenu: async (ctx, { params }) => {
    const { menu, now } = await readMenu(ctx, params.id);
    return one(menu, { currency: ctx.tenant.currency, now });
  },

  listCategories: async (ctx, { query }) => list(await readCategories(ctx, query().menu_id), {}),

  listItems: async (ctx, { query }) => {
    const { category_id: categoryId, available, ...paging } = query();
    const request = readPage(ctx, "items", paging);
    const [id] = (request.position?.keys ?? []) as number[];
    const rows = await readItems(
      ctx,
      { categoryId, isAvailable: available === undefined ? undefined : available === "true" || available === "1" },
      request.position?.direction === "prev" ? { beforeId: id } : { afterId: id },
      request.perPage + 1,
    );
    const page = cutPage(ctx, "items", request, { rows, keysOf: (item) => [item.id] });
    return presentPage(page.rows, page, request.perPage, { currency: ctx.tenant.currency });
  },

  createItem: async (ctx, { body }) => {
    const item = await addItem(ctx, body());
    return { ...oneItem(ctx, item), location: `/items/${item.id}` };
  },

  getItem: async (ctx, { params }) => oneItem(ctx, await readItem(ctx, params.id)),

  updateItem: async (ctx, { params, body }) => {
    const item = await findItemForChange(ctx, params.id);
    return oneItem(ctx, await changeItem(ctx, item, body()));
  },

  setItemAvailability: async (ctx, { params, body }) => {
    const item = await findItemForChange(ctx, params.id);
    return oneItem(ctx, await changeItem(ctx, item, { is_available: body().is_available }));
  },
};
