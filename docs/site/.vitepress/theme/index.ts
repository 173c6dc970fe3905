/** VitePress's own look, with the header that the API reference has too, and examples that name this service. */
import { onContentUpdated, type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineComponent, h } from "vue";
import { fillInAddress } from "./address.ts";
import { rememberLanguage, showLanguage } from "./languages.ts";
import { SiteLinks, TwinLink } from "./links.ts";
import { NotFound } from "./not-found.ts";
import { TokenField } from "./token-field.ts";
import "./style.css";

const Layout = defineComponent(() => {
  onContentUpdated(() => {
    fillInAddress(document.querySelector(".vp-doc"));
    showLanguage();
  });
  return () =>
    h(DefaultTheme.Layout, null, {
      "nav-bar-content-after": () => h(SiteLinks, { class: "site-links in-bar" }),
      "nav-screen-content-before": () => h(SiteLinks, { class: "site-links in-menu" }),
      "doc-before": () => h(TokenField),
      "doc-after": () => h(TwinLink),
      "not-found": () => h(NotFound),
    });
});

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp() {
    if (!import.meta.env.SSR) rememberLanguage();
  },
};
export default theme;
