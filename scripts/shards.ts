/** `node scripts/shards.ts CONFIG COUNT`: the files of each shard, as Vitest parts them. `vitest list` lists all files in every shard. */
import { relative } from "node:path";
import { createVitest } from "vitest/node";

const [config = "", count = "1"] = process.argv.slice(2);
const vitest = await createVitest("test", { config, watch: false });
const specifications = await vitest.globTestSpecifications();
const { sequencer: Sequencer } = vitest.config.sequence;
const shards: string[][] = [];
for (let index = 1; index <= Number(count); index++) {
  vitest.config.shard = { index, count: Number(count) };
  const files = await new Sequencer(vitest).shard(specifications);
  shards.push(files.map(({ moduleId }) => relative(process.cwd(), moduleId)));
}
await vitest.close();
process.stdout.write(`${JSON.stringify(shards)}\n`);
