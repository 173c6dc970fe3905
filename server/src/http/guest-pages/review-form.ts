/** The parts of a guest's page: the form, the thanks, and what went wrong. */
import { COMMENT_LENGTH_MAX, RATINGS, type Rating } from "@comanda/contract/console/review-limits.ts";
import { escapeHtml, type ShownPage } from "./html.ts";
import { GUEST_TEXTS, type GuestLanguage, type PageProblem } from "./texts.ts";

export type ReviewSubject = { language: GuestLanguage; venue: string; kind: "order" | "visit" };

/** What a guest sent that cannot be stored. It is shown again. */
export type RefusedForm = { rating: string; comment: string; faults: readonly ("rating" | "comment")[] };

const choiceOf = (rating: Rating, name: string, isChosen: boolean): string =>
  `<label class="choice"><input type="radio" name="rating" id="rating-${rating}" value="${rating}" required${isChosen ? " checked" : ""}>
<span>${rating} – ${name}</span><span class="stars" aria-hidden="true">${"★".repeat(rating)}${"☆".repeat(5 - rating)}</span></label>`;

const FAULT_TARGETS = { rating: "rating-5", comment: "comment" } as const;

const faultsOf = (language: GuestLanguage, faults: RefusedForm["faults"]): string => {
  if (faults.length === 0) return "";
  const { faultsTitle, ratingMissing, commentTooLong } = GUEST_TEXTS[language];
  const sentences = { rating: ratingMissing, comment: commentTooLong };
  const rows = faults.map((name) => `<li><a href="#${FAULT_TARGETS[name]}">${sentences[name]}</a></li>`).join("");
  return `<div class="faults" role="alert"><h2>${faultsTitle}</h2><ul>${rows}</ul></div>`;
};

/** The best rating first. */
export const reviewForm = (path: string, { language, venue, kind }: ReviewSubject, refused: RefusedForm | null = null): ShownPage => {
  const texts = GUEST_TEXTS[language];
  const title = escapeHtml(texts.title(venue));
  const choices = RATINGS.toReversed().map((rating) => choiceOf(rating, texts.ratings[rating], refused?.rating === String(rating)));
  const body = `<h1>${title}</h1><p class="dim">${texts.leads[kind]}</p>${faultsOf(language, refused?.faults ?? [])}
<form method="post" action="${escapeHtml(path)}">
<fieldset><legend>${texts.rating}</legend>${choices.join("\n")}</fieldset>
<div><label class="label" for="comment">${texts.comment}</label>
<textarea id="comment" name="comment" dir="auto" maxlength="${COMMENT_LENGTH_MAX}" aria-describedby="comment-hint">
${escapeHtml(refused?.comment ?? "")}</textarea>
<p class="dim" id="comment-hint">${texts.commentHint}</p></div>
<button type="submit">${texts.submit}</button>
<p class="dim">${escapeHtml(texts.privacy(venue))}</p>
</form>`;
  return { status: refused ? 422 : 200, language, title, body };
};

export const thanksPage = (status: number, { language, venue }: Pick<ReviewSubject, "language" | "venue">): ShownPage => {
  const { thanks, thanksLead } = GUEST_TEXTS[language];
  return { status, language, title: thanks, body: `<h1>${thanks}</h1><p>${escapeHtml(thanksLead(venue))}</p>` };
};

export const problemPage = (status: number, language: GuestLanguage, problem: PageProblem): ShownPage => {
  const { title, lead } = GUEST_TEXTS[language].problems[problem];
  return { status, language, title, body: `<h1>${title}</h1><p>${lead}</p>` };
};
