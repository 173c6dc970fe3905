import type { Command } from "commander";
import { UserError } from "#lib/errors.ts";
import { countSeen, readSheet } from "#venue/stock/service/levels.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { print, table, withApiErrors } from "./print.ts";

type StockOptions = { branch?: string; json?: boolean };

export const addStockCommands = (program: Command): void => {
  const stock = program.command("stock").description("what is there of each ingredient");
  stock
    .command("list <slug>")
    .description("the levels of a branch")
    .option("--branch <id>", "the default branch without it")
    .option("--json", "print JSON")
    .action(list);
  stock
    .command("count <slug> <ingredient> <quantity>")
    .description("record what was counted, in the unit of the ingredient")
    .option("--branch <id>", "the default branch without it")
    .option("--json", "print JSON")
    .action(count);
};

const readBranchId = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const list = (slug: string, { branch, json = false }: StockOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const sheet = await forVenue(deps, slug, (ctx) => withApiErrors(() => readSheet(ctx, readBranchId(branch))));
    print(json, sheet, () =>
      table(
        sheet.ingredients.map(({ id, name, unit, on_hand, par_level, counted_at }) => ({
          id,
          name: name[sheet.default_language] ?? "",
          on_hand,
          unit,
          par_level,
          counted_at,
        })),
      ),
    );
  });

const count = (slug: string, ingredient: string, quantity: string, { branch, json = false }: StockOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const [id, counted] = [Number(ingredient), Number(quantity)];
    if (!(counted >= 0 && counted <= 1_000_000)) throw new UserError("The quantity is a number from 0 to 1000000.");
    const result = await forVenue(deps, slug, (ctx) =>
      withApiErrors(async () => {
        const { branch_id, ingredients } = await readSheet(ctx, readBranchId(branch));
        const seen_on_hand = ingredients.find((level) => level.id === id)?.on_hand ?? 0;
        return countSeen(ctx, id, () => ({ branch_id, counted, seen_on_hand }));
      }),
    );
    print(json, result, () => `Counted ${result.level.on_hand} ${result.level.unit}, a difference of ${result.variance}.`);
  });
