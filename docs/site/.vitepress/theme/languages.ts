/** A reader who chooses a language in one example sees it in all of them, also on the next page. */
const KEPT_AS = "comanda-guide-language";

const kept = (): string | null => {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    // A browser may refuse to store anything.
    return null;
  }
};

const keep = (language: string): void => {
  try {
    localStorage.setItem(KEPT_AS, language);
  } catch {
    // The choice holds for this page.
  }
};

const show = (language: string): void => {
  for (const group of document.querySelectorAll(".vp-code-group")) {
    const inputs = [...group.querySelectorAll<HTMLInputElement>(".tabs input")];
    const index = inputs.findIndex((input) => group.querySelector(`label[for="${input.id}"]`)?.textContent === language);
    const input = inputs[index];
    if (input === undefined) continue;
    input.checked = true;
    for (const [place, block] of [...(group.querySelector(".blocks")?.children ?? [])].entries())
      block.classList.toggle("active", place === index);
  }
};

export const showLanguage = (): void => {
  const language = kept();
  if (language !== null) show(language);
};

export const rememberLanguage = (): void => {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const group = target.closest(".vp-code-group");
    const language = group?.querySelector(`label[for="${target.id}"]`)?.textContent;
    if (!language) return;
    keep(language);
    // Examples above change their height, and what the reader looks at stays in its place.
    const before = target.getBoundingClientRect().top;
    show(language);
    window.scrollBy(0, target.getBoundingClientRect().top - before);
  });
};
