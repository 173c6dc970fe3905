/** The settings, read from the environment once. All faults are listed together, and the result is frozen. */
import { readFileSync } from "node:fs";
import type { EncryptionKey } from "#lib/encryption.ts";
import { UserError } from "#lib/errors.ts";
import { type ProcessSettingName, SETTINGS, type SettingEntry, type SettingName, type SettingValues } from "./settings.ts";

export type Config = SettingValues<ProcessSettingName>;

type Environment = Record<string, string | undefined>;

export const readConfig = (environment: Environment): Config => {
  const names = (Object.keys(SETTINGS) as SettingName[]).filter((name): name is ProcessSettingName => !("readBy" in SETTINGS[name]));
  return Object.freeze(
    readSettings(environment, names, (faults) => {
      if (environment.SIGN_UP?.trim() === "open" && isUnset(environment, "SIGN_UP_PLAN"))
        faults.push(`SIGN_UP_PLAN is missing (${SETTINGS.SIGN_UP_PLAN.meaning}).`);
    }),
  );
};

/** What `comanda-admin migrate` needs. Without a URL it migrates the development database. */
export const readMigrationConfig = (environment: Environment): { url: string | null; cell: number } => {
  const { migrationDatabaseUrl, cell } = readSettings(environment, ["MIGRATION_DATABASE_URL", "CELL"], (faults) => {
    if (isUnset(environment, "MIGRATION_DATABASE_URL") && !isUnset(environment, "DATABASE_URL"))
      faults.push("MIGRATION_DATABASE_URL is missing: the schema is owned by another role than the one in DATABASE_URL.");
  });
  return { url: migrationDatabaseUrl, cell };
};

export type MoveConfig = { fromUrl: string; toUrl: string; encryptionKeys: readonly EncryptionKey[] };

/** What a move to another cell needs: both databases, and the keys that decrypt secrets there. */
export const readMoveConfig = (environment: Environment): MoveConfig => {
  const urls = ["MIGRATION_DATABASE_URL", "MOVE_TO_DATABASE_URL"] as const;
  const values = readSettings(environment, [...urls, "MOVE_TO_ENCRYPTION_KEYS", "ENCRYPTION_KEYS"], (faults) => {
    for (const name of urls) if (isUnset(environment, name)) faults.push(`${name} is missing (${SETTINGS[name].meaning}).`);
  });
  return {
    fromUrl: values.migrationDatabaseUrl ?? "",
    toUrl: values.moveToDatabaseUrl ?? "",
    encryptionKeys: values.moveToEncryptionKeys ?? values.encryptionKeys,
  };
};

export type RestoredConfig = { url: string; otherUrls: readonly string[]; isOneOfSeveral: boolean; cells: number; outbound: "on" | "off" };

/** What `comanda-admin restored` needs: the databases of this cell and of the others. Without a URL it reads the development database. */
export const readRestoredConfig = (environment: Environment): Omit<RestoredConfig, "url"> & { url: string | null; cell: number } => {
  const names = ["MIGRATION_DATABASE_URL", "CELL_DATABASE_URLS", "CELL", "CELLS", "OUTBOUND"] as const;
  const { migrationDatabaseUrl, cellDatabaseUrls, cell, cells, outbound } = readSettings(environment, names, (faults) => {
    if (isUnset(environment, "MIGRATION_DATABASE_URL") && !isUnset(environment, "DATABASE_URL"))
      faults.push(`MIGRATION_DATABASE_URL is missing (${SETTINGS.MIGRATION_DATABASE_URL.meaning}).`);
  });
  return { url: migrationDatabaseUrl, otherUrls: cellDatabaseUrls, isOneOfSeveral: cells > 1 || cell > 0, cell, cells, outbound };
};

/** Throws one error with all faults: those of the single settings, and those that `check` adds. */
const readSettings = <Name extends SettingName>(
  environment: Environment,
  names: readonly Name[],
  check: (faults: string[]) => void = () => undefined,
): SettingValues<Name> => {
  const faults: string[] = [];
  const fields = names.map((name) => [fieldOf(name), readSetting(environment, name, faults)]);
  check(faults);
  if (faults.length > 0) throw new UserError(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  return Object.fromEntries(fields) as SettingValues<Name>;
};

const fieldOf = (name: string): string => name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** `NAME_FILE` names a file that holds the value, as container secrets are mounted. */
const isUnset = (environment: Environment, name: SettingName): boolean => !environment[name]?.trim() && !environment[`${name}_FILE`];

const readSetting = (environment: Environment, name: SettingName, faults: string[]): unknown => {
  const { meaning, kind, ...setting }: SettingEntry<unknown> = SETTINGS[name];
  let value = environment[name]?.trim() || (setting.default ?? null);
  const file = environment[`${name}_FILE`];
  if (file) {
    try {
      value = readFileSync(file, "utf8").trim();
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read.`);
      return undefined;
    }
  }
  const parsed = kind(value, meaning);
  if ("value" in parsed) return parsed.value;
  faults.push(`${name} ${parsed.fault}`);
  return undefined;
};
