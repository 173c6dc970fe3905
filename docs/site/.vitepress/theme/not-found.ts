/** Shown at an address that the site does not have. The server sends it with status 404; `finish.ts` puts it into the page for readers without scripts. */
import { defineComponent, h, onMounted } from "vue";

const LINKS = [
  ["/docs/guide/", "All guides"],
  ["/docs/guide/quick-start", "Quick start"],
  ["/docs/guide/errors", "Errors and safe repeats"],
  ["/docs/guide/reference/error-codes", "Error codes"],
] as const;

const search = (): void => document.querySelector<HTMLButtonElement>(".DocSearch-Button")?.click();

export const NotFound = defineComponent(() => {
  onMounted(() => {
    document.title = "Page not found | Comanda";
  });
  return () =>
    h("main", { class: "not-found vp-doc" }, [
      h("h1", "Page not found"),
      h("p", "The documentation has no page at this address. The page may have another name now, or the link has a mistake in it."),
      h("p", { class: "scripted-only" }, [h("button", { type: "button", onClick: search }, "Search the documentation")]),
      h("p", "Or start from one of these pages:"),
      h("ul", [
        ...LINKS.map(([href, label]) => h("li", h("a", { href }, label))),
        h("li", h("a", { href: "/docs", target: "_self" }, "API reference")),
      ]),
    ]);
});
