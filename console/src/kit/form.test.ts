/** Every form is one component, which brings the focus to the field that is wrong. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const FORM = "kit/form.tsx";
const pages = globSync("**/*.tsx", { cwd: ROOT }).map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** Forms of the browser, and handlers that stop its own way to send one. */
const ownForms = (files: readonly { path: string; text: string }[]): string[] =>
  files.filter(({ path, text }) => path !== FORM && /<form\b|component="form"|requestSubmit\(/.test(text)).map(({ path }) => path);

/** Pages that look for the wrong field themselves. */
const ownFocus = (files: readonly { path: string; text: string }[]): string[] =>
  files.filter(({ path, text }) => path !== FORM && /querySelector[^;]*aria-invalid/.test(text)).map(({ path }) => path);

test("every form is the kit's", () => {
  const forms = pages.filter(({ text }) => /<Form[\s>]/.test(text));
  expect(forms.length).toBeGreaterThan(45);
  expect(forms.filter(({ text }) => !/import \{ Form \} from "(?:#kit\/form\.tsx|\.\/form\.tsx)"/.test(text))).toEqual([]);
  expect(ownForms(pages)).toEqual([]);
  expect(ownFocus(pages)).toEqual([]);
});

test("planted: a form of the browser, and a page that looks for the wrong field itself, are found", () => {
  const planted = { path: "stock/planted.tsx", text: "<form onSubmit={save}></form>" };
  const focusing = { path: "team/planted.tsx", text: "form.querySelector('[aria-invalid=true]')?.focus();" };
  expect(ownForms([planted, focusing])).toEqual([planted.path]);
  expect(ownFocus([planted, focusing])).toEqual([focusing.path]);
});
