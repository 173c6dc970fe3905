/** What is installed is what was locked: each package that the image and CI install has the hash of its content. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type LockedPackage = { link?: boolean; integrity?: string; resolved?: string; os?: string[]; cpu?: string[]; libc?: string[] };

/** Debian on x64. Builds for other systems have a hash where the registry showed them. */
const isInstalled = ({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: LockedPackage): boolean =>
  os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");

const faultsIn = (packages: Record<string, LockedPackage>): string[] =>
  Object.entries(packages)
    .filter(([path, entry]) => path.includes("node_modules/") && !entry.link && isInstalled(entry))
    .filter(([, { integrity = "" }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
    .map(([path]) => path);

test.each(["package-lock.json", "sdk/runtimes/package-lock.json"])(
  "every package of %s that is installed on Debian has its hash",
  (file) => {
    const { packages } = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")) as {
      packages: Record<string, LockedPackage>;
    };
    expect(faultsIn(packages)).toEqual([]);
    const [[path, entry]] = Object.entries(packages).filter(([, { integrity }]) => integrity !== undefined) as [[string, LockedPackage]];
    expect(
      faultsIn({ [path]: { ...entry, integrity: "sha1-short" }, "node_modules/planted": { resolved: "https://example.com/p.tgz" } }),
    ).toEqual(expect.arrayContaining(["node_modules/planted"]));
  },
);
