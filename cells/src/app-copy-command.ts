import { print, printDatabase } from "@comanda/server/admin/print.ts";
import { readMoveConfig } from "@comanda/server/config.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type { Command } from "commander";
import { assertCellsMatch, connectTo } from "./connections.ts";
import { copyApps } from "./shared-rows.ts";

export const addCopyCommand = (app: Command): void => {
  app
    .command("copy <client-id>")
    .description("register it with the same secrets in another cell (MOVE_TO_DATABASE_URL), or update it there")
    .action(copyToCell);
};

const copyToCell = async (clientId: string): Promise<void> => {
  const { fromUrl, toUrl } = readMoveConfig(process.env);
  for (const url of [fromUrl, toUrl]) printDatabase(url);
  const [from, to] = [await connectTo(fromUrl), await connectTo(toUrl)];
  try {
    const { there } = await assertCellsMatch(from, to);
    if ((await copyApps(from, to, { clientId })) === 0) throw new UserError(`There is no app "${clientId}" in this cell.`);
    print(false, null, () => `Cell ${there} knows ${clientId} as this one does.`);
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
};
