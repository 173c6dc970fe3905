/** Links that ask guests for a review, as a message has them. */
import { randomBytes } from "node:crypto";
import { REVIEW_PATH, signReviewToken } from "../../src/lib/review-links.ts";
import type { TestDatabase } from "./database.ts";
import type { TestApp, TestVenue } from "./test-app.ts";

/** An application, or a cell whose processes are elsewhere. */
type LinkSource = { database: Pick<TestDatabase, "asOwner">; deps: { config: Pick<TestApp["deps"]["config"], "encryptionKeys"> } };

export const newEncryptionKeys = (): string => `test:${randomBytes(32).toString("base64")}`;

type LinkedSubject = { order: string } | { reservation: string };

/** The path of a link that was sent now and works for 14 days, without a message. */
export const sentLink = async (
  app: LinkSource & Partial<Pick<TestApp, "clock">>,
  { id }: Pick<TestVenue, "id">,
  subject: LinkedSubject,
  sentAt = app.clock?.now() ?? new Date(),
): Promise<string> => {
  const [column, value] = "order" in subject ? ["order_id", subject.order] : ["reservation_id", subject.reservation];
  const [row] = await app.database.asOwner<{ message_id: string }>(
    `insert into review_requests (restaurant_id, ${column}, state, due_at, message_id, expires_at)
     values ($1, $2, 'sent', $3, nextval('notification_ids'), $3::timestamptz + interval '14 days') returning message_id`,
    [id, value, sentAt.toISOString()],
  );
  return linkPath(app, { restaurantId: id, messageId: Number(row?.message_id) });
};

export const linkPath = (app: LinkSource, link: { restaurantId: number; messageId: number }): string =>
  `${REVIEW_PATH}/${signReviewToken(app.deps.config.encryptionKeys, link)}`;

/** As a browser sends the form. */
export const postReview = (app: TestApp, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  app.app.http.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(form).toString(),
  });

export const switchReviewsOn = (app: LinkSource, { id }: Pick<TestVenue, "id">, waitMinutes = 60): Promise<unknown> =>
  app.database.asOwner("update settings set reviews = $2 where restaurant_id = $1", [
    id,
    JSON.stringify({ is_on: true, wait_minutes: waitMinutes }),
  ]);
