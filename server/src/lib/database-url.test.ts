import { expect, test } from "vitest";
import { ESCAPE_ADVICE, parseDatabaseUrl, splitDatabaseUrls } from "./database-url.ts";

const read = (text: string) => {
  const parsed = parseDatabaseUrl(text);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
};

test("one host, as it is written", () => {
  const url = "postgres://app:secret@db.example:6543/comanda?sslmode=verify-full";
  expect(read(url)).toEqual({ urls: [url], hosts: "db.example:6543", database: "comanda" });
  expect(read("postgresql://app@db/comanda").hosts).toBe("db:5432");
  expect(read("postgres://app@[::1]:5433/comanda").hosts).toBe("[::1]:5433");
  expect(read("postgres:///comanda?host=/run/postgresql").hosts).toBe("/run/postgresql");
});

test("several hosts become one address each, in their order; what picks among them is ours to do", () => {
  const { urls, hosts } = read("postgres://app:se%2Fcret@a:5432,b,[::1]:5434/comanda?target_session_attrs=read-write&sslmode=require");
  expect(urls).toEqual([
    "postgres://app:se%2Fcret@a:5432/comanda?sslmode=require",
    "postgres://app:se%2Fcret@b/comanda?sslmode=require",
    "postgres://app:se%2Fcret@[::1]:5434/comanda?sslmode=require",
  ]);
  expect(hosts).toBe("a:5432, b:5432, [::1]:5434");
  expect(read("postgres://app@a,b/comanda?target_session_attrs=primary").urls).toHaveLength(2);
});

test("several addresses, each of which may have several hosts", () => {
  const [one, other] = ["postgres://o@a:1,b:2/comanda", "postgresql://o@c/comanda"];
  for (const text of [`${one},${other}`, `${one} ${other}`, ` ${one},\n${other},`]) expect(splitDatabaseUrls(text)).toEqual([one, other]);
  expect([splitDatabaseUrls(""), splitDatabaseUrls(one)]).toEqual([[], [one]]);
});

test("a target that asks for a standby is refused", () => {
  for (const target of ["read-only", "standby", "prefer-standby"])
    expect(parseDatabaseUrl(`postgres://app@a,b/comanda?target_session_attrs=${target}`)).toContain("use read-write");
});

test("a password that was not escaped is a sentence that says how to; an @ is understood", () => {
  for (const password of ["p/ss", "12/ss", "p?ss", "p#ss", "p%ss", "p@s/s"])
    expect(parseDatabaseUrl(`postgres://app:${password}@db/comanda`), password).toBe(`cannot be read. ${ESCAPE_ADVICE}.`);
  expect(read("postgres://app:p@ss@db/comanda").hosts).toBe("db:5432");
  for (const text of ["", "db", "mysql://a@b/c", "postgres://app@db:port/comanda"])
    expect(parseDatabaseUrl(text), text).toContain("cannot be read");
});

test("no part of the password is in the sentence or among the hosts", () => {
  const written = JSON.stringify([parseDatabaseUrl("postgres://app:topsecret/x@db/comanda"), read("postgres://app:topsecret@db/c").hosts]);
  expect(written).not.toContain("topsecret");
});
