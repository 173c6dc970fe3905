/** The English texts that every page needs; the others load with their page. Plural forms end in `_one`, `_other` and so on. */
import { enAccount } from "#account/texts.en.ts";
import { enKit } from "#kit/texts.en.ts";
import { enOrders } from "#orders/texts.en.ts";
import { enShell } from "#shell/texts.en.ts";

export const en = { ...enKit, ...enShell, ...enAccount, ...enOrders } as const;
