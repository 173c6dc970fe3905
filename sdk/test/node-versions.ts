/** The versions of Node that the packages support; the newest is the one that runs this. `npm run runtimes` installs the others. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type NodeVersion = { major: number; program: string };

const programOf = (major: number): string =>
  fileURLToPath(new URL(`../runtimes/node_modules/node-${major}-linux-${process.arch}/bin/node`, import.meta.url));

export const OLDER_NODES: readonly NodeVersion[] = [20, 22].map((major) => ({ major, program: programOf(major) }));
export const NODES: readonly NodeVersion[] = [...OLDER_NODES, { major: 24, program: process.execPath }];

export const isNodeInstalled = ({ program }: NodeVersion): boolean => existsSync(program);
