/** What must hold for the settings, whether a venue file or the console brings them. The JSON Schema cannot say it. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { checkUnique, collectErrors, keysIn, type ReportError } from "#lib/collect-errors.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { posesAsProduct } from "#lib/product-name.ts";
import { isZone } from "#lib/time-zone.ts";

export const restaurantErrors = ({ restaurant }: { restaurant: Pick<VenueFile["restaurant"], "zone" | "name"> }): FieldErrors =>
  collectErrors((report) => {
    if (!isZone(restaurant.zone)) report("restaurant.zone", "Is not a known time zone.");
    // Its mails would come from the platform, as it seems.
    if (Object.values(restaurant.name).some((name) => name !== null && posesAsProduct(name)))
      report("restaurant.name", "Is the name of this platform. Add what your guests know you by.");
  });

export const branchErrors = ({ branches }: Pick<VenueFile, "branches">): FieldErrors =>
  collectErrors((report) => {
    if (branches.filter((branch) => branch.is_default).length !== 1) report("branches", "Exactly one branch is the default.");
    checkUnique({ branches }, report);
    for (const [index, { closing_days }] of branches.entries())
      checkUnique({ [`branches.${index}.closing_days`]: closing_days.map(({ date }) => ({ key: date })) }, report);
  });

export const orderingErrors = ({ ordering }: Pick<VenueFile, "ordering">): FieldErrors =>
  collectErrors((report) => checkUnique({ "ordering.types": ordering.types.map(({ type }) => ({ key: type })) }, report));

export const chargesErrors = ({ charges }: Pick<VenueFile, "charges">): FieldErrors =>
  collectErrors((report) => {
    checkUnique({ "charges.taxes": charges.taxes, "charges.promotions": charges.promotions }, report);
    checkCharges(charges, report);
  });

const checkCharges = (charges: VenueFile["charges"], report: ReportError): void => {
  const taxes = keysIn(charges.taxes);
  if (charges.taxes.length > 0 && charges.taxes.filter((tax) => tax.is_default).length !== 1)
    report("charges.taxes", "Exactly one tax is the default.");
  for (const [path, key] of [
    ["charges.service_charge.tax", charges.service_charge?.tax],
    ["charges.delivery_fee_tax", charges.delivery_fee_tax],
  ] as const)
    if (key && !taxes.has(key)) report(path, `There is no tax ${key}.`);
  for (const [index, { percent_off, amount_off_minor }] of charges.promotions.entries())
    if ((percent_off === null) === (amount_off_minor === null))
      report(`charges.promotions.${index}`, "Set either percent_off or amount_off_minor.");
};
