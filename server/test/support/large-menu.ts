/** A menu with as many dishes as a venue may have, written straight into the database. */
import type { TestApp, TestVenue } from "./test-app.ts";

const PER_CATEGORY = 500;

export const fillMenu = async (app: TestApp, venue: Pick<TestVenue, "id">, dishes: number): Promise<void> => {
  await app.database.asOwner(
    `with menu as (select id from menus where restaurant_id = $1 and deleted_at is null order by id limit 1),
     added as (insert into categories (restaurant_id, key, menu_id, name, is_active, sort_order)
       select $1, 'many-' || n, menu.id, jsonb_build_object('en', 'Category ' || n), true, 1000 + n
       from menu, generate_series(1, $2::integer / ${PER_CATEGORY}) n returning id, sort_order)
     insert into items (restaurant_id, key, category_id, name, description, price_minor, is_available, show_online, dietary, sort_order)
     select $1, 'many-' || n, added.id, jsonb_build_object('en', 'Dish number ' || n, 'it', 'Piatto numero ' || n),
       jsonb_build_object('en', repeat('What is in it and where it is from. ', 5)), 100 + n, true, true, 'none', n
     from added join generate_series(1, $2::integer) n on added.sort_order = 1001 + n % ($2::integer / ${PER_CATEGORY})`,
    [venue.id, dishes],
  );
};
