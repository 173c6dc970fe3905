/** What every state of a page must have, checked in one step: axe takes ten times as long. */
import type { Page } from "playwright-core";

/** Controls and pictures without a name, headings that skip a level, ids that point to two elements, and targets that are hard to hit. */
export const structureFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** WCAG 2.2, 2.5.8. */
    const TARGET_PX_MIN = 24;
    const all = (selector: string): HTMLElement[] =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[aria-hidden=true], [inert]"),
      );
    const described = (fault: string, element: Element): string => `${fault}: ${element.outerHTML.slice(0, 160)}`;

    const CONTROLS =
      "button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=menuitem], [role=option], [role=tab]";
    const controls = all(CONTROLS);
    const inner = (element: Element): string[] =>
      [...element.querySelectorAll("[aria-label], img")].map((one) => one.getAttribute("aria-label") ?? one.getAttribute("alt") ?? "");
    const namesOf = (element: HTMLElement): (string | null | undefined)[] => [
      ...["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name)),
      ...(element.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => document.getElementById(id)?.textContent),
      ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent),
      ...(element.matches("input, select, textarea") ? [] : [element.textContent, ...inner(element)]),
    ];
    const isNamed = (element: HTMLElement): boolean => namesOf(element).some((name) => name?.trim());
    const nameless = [...controls, ...all("[role=dialog], [role=img]")].filter((element) => !isNamed(element));
    const pictures = all("img:not([alt]):not([role])");

    const levels = all("h1, h2, h3, h4, h5, h6").map((element) => ({ element, level: Number(element.tagName[1]) }));
    const skipped = levels.filter(({ level }, index) => index > 0 && level > (levels[index - 1]?.level ?? 0) + 1);

    const counts = Map.groupBy(document.querySelectorAll("[id]"), ({ id }) => id);
    const pointers = all("[aria-labelledby], [aria-describedby], label[for]").filter((element) =>
      ["aria-labelledby", "aria-describedby", "for"].some((name) =>
        (element.getAttribute(name) ?? "").split(/\s+/).some((id) => (counts.get(id)?.length ?? 0) > 1),
      ),
    );

    // The label of a box to tick is a target too.
    const targets = controls.filter((element) => !element.matches("[type=checkbox], [type=radio]"));
    const boxes = targets.map((element) => ({ element, box: element.getBoundingClientRect() }));
    const isSmall = ({ width, height }: DOMRect): boolean => Math.round(Math.min(width, height)) < TARGET_PX_MIN;
    const isHit = (element: Element, { x, y, width, height }: DOMRect): boolean => {
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    };
    /** A small target may stand alone, or in a line of text. */
    const isCrowded = (element: Element, { x, y, width, height }: DOMRect): boolean =>
      boxes.some(
        ({ element: other, box }) =>
          other !== element &&
          !other.contains(element) &&
          !element.contains(other) &&
          Math.hypot(
            Math.max(box.left - (x + width / 2), 0, x + width / 2 - box.right),
            Math.max(box.top - (y + height / 2), 0, y + height / 2 - box.bottom),
          ) <
            TARGET_PX_MIN / 2,
      );
    const crowded = boxes.filter(
      ({ element, box }) =>
        isSmall(box) && getComputedStyle(element).display !== "inline" && isHit(element, box) && isCrowded(element, box),
    );

    return [
      ...nameless.map((element) => described("no name", element)),
      ...pictures.map((element) => described("no text for a picture", element)),
      ...(levels.some(({ level }) => level === 1) || document.querySelector("h1") ? [] : ["no h1"]),
      ...skipped.map(({ element }) => described("a heading skips a level", element)),
      ...pointers.map((element) => described("an id of two elements", element)),
      ...crowded.map(({ element }) => described("a small target", element)),
    ];
  });
