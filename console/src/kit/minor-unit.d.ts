/** In the console an amount of the contract is not any number: `formatMoney` takes nothing else, so whole units do not compile in it. */
import "@comanda/contract/minor.ts";

declare module "@comanda/contract/minor.ts" {
  interface MinorUnit {
    readonly unit: "minor";
  }
}
