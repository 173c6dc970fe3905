/** Asks for a sandbox token above the examples of a page, once for all pages that are opened in this tab. */
import { onContentUpdated, useData } from "vitepress";
import { defineComponent, h, nextTick, onMounted, ref, type VNode } from "vue";
import { fillInToken, keepToken, keptToken, refusalOf } from "./sandbox-token.ts";

const FIELD = "sandbox-token";
const HINT = `${FIELD}-hint`;

/** The number identifies the token; the rest is not shown. */
const shown = (token: string): string => token.replace(/(\|svc_sbx_).*$/, "$1…");

const field = (given: string, refusal: string | null, input: (text: string) => void): VNode[] => [
  h("label", { for: FIELD }, "Your sandbox token"),
  h("div", { class: "token-line" }, [
    h("input", {
      id: FIELD,
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: false,
      placeholder: "2048|svc_sbx_…",
      "aria-describedby": HINT,
      "aria-invalid": refusal === null ? undefined : "true",
      value: given,
      onInput: ({ target }: Event) => {
        if (target instanceof HTMLInputElement) input(target.value);
      },
    }),
    h("button", { type: "submit" }, "Fill in"),
  ]),
  h("p", { id: HINT }, [
    refusal === null ? null : h("strong", { role: "alert" }, `${refusal} `),
    "It then stands in every example that you copy. It stays in this browser tab and is sent nowhere.",
  ]),
];

const filled = (token: string, remove: () => void): VNode[] => [
  h("p", { role: "status" }, ["The examples contain your sandbox token ", h("code", shown(token)), ". It stays in this browser tab."]),
  h("button", { id: `${FIELD}-remove`, type: "button", onClick: remove }, "Remove the token"),
];

export const TokenField = defineComponent(() => {
  const { frontmatter } = useData();
  const token = ref<string | null>(null);
  const given = ref("");
  const refusal = ref<string | null>(null);

  const use = (wanted: string | null): void => {
    token.value = wanted;
    given.value = "";
    keepToken(wanted);
    fillInToken(wanted);
    // The part that had the focus is gone.
    void nextTick().then(() => document.getElementById(wanted === null ? FIELD : `${FIELD}-remove`)?.focus());
  };
  const input = (text: string): void => {
    given.value = text;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const wanted = given.value.trim();
    refusal.value = refusalOf(wanted);
    if (refusal.value === null) use(wanted);
    else if (wanted.includes("svc_")) given.value = "";
  };
  onMounted(() => {
    token.value = keptToken();
  });
  onContentUpdated(() => fillInToken(token.value ?? keptToken()));

  return () =>
    frontmatter.value.asksToken === true
      ? h(
          "form",
          { class: "token-field scripted-only", "aria-label": "Sandbox token in the examples", onSubmit: submit },
          token.value === null ? field(given.value, refusal.value, input) : filled(token.value, () => use(null)),
        )
      : null;
});
