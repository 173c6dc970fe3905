import { useData } from "vitepress";
import { defineComponent, h } from "vue";

/** The three parts of the service for developers. Those outside of the site are loaded by the browser, so they have a target. */
export const SiteLinks = defineComponent(
  () => () =>
    h("nav", { "aria-label": "Parts of the service" }, [
      h("a", { href: "/docs/guide/", "aria-current": "true" }, "Guides"),
      h("a", { href: "/docs", target: "_self" }, "Reference"),
      h("a", { href: "/console", target: "_self" }, "Console"),
    ]),
);

/** The page's Markdown, for programs and for copying. */
export const TwinLink = defineComponent(() => {
  const { frontmatter } = useData();
  return () =>
    typeof frontmatter.value.twin === "string"
      ? h("nav", { class: "twin", "aria-label": "Other forms of this page" }, [
          h("a", { href: frontmatter.value.twin, target: "_self" }, "This page as Markdown"),
        ])
      : null;
});
