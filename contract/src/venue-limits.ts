/** How much a venue may own, over all of its menus and branches. What it has above a bound stays and can be changed, but nothing is added. */
export const DISHES_MAX = 5000;
export const CATEGORIES_MAX = 200;
export const OPTIONS_MAX = 2000;
export const VENUE_TABLES_MAX = 1000;
