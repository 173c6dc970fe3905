/** Texts of an area that loads with its own code, so that they are not part of the entry. */
import i18next from "i18next";
import type { arNewOrder } from "./ar-new-order.ts";
import type { enNewOrder } from "./en-new-order.ts";

/** The namespaces of such areas. */
export type AreaTexts = { newOrder: typeof enNewOrder };
type AreaTranslations = { newOrder: typeof arNewOrder };

export const addAreaTexts = <Area extends keyof AreaTexts>(area: Area, en: AreaTexts[Area], ar: AreaTranslations[Area]): void => {
  i18next.addResourceBundle("en", area, en);
  i18next.addResourceBundle("ar", area, ar);
};
