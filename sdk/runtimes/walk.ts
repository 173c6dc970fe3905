/** One walk through everything the SDK does, on the web platform alone: it is run as it stands on every runtime. */
import {
  ApiError,
  askOwner,
  ConnectionError,
  createClient,
  deduplicate,
  idempotencyKey,
  type NewOrder,
  renewingToken,
  signWebhook,
  type TokenPair,
  verifyWebhook,
  WebhookError,
} from "../src/index.ts";

export type Setting = {
  /** A street before the shop: `/stumbling`, `/silent` and `/broken` below it have their manners. */
  rootUrl: string;
  token: string;
  order: NewOrder;
  itemIds: number[];
  app: { clientId: string; clientSecret: string };
  pair: TokenPair;
  message: { body: string; header: string; secret: string; signedAtMs: number };
};
export type Check = { name: string; fault: string | null };
/** What the street has seen. */
export type Seen = { attempts: { key: string | null; status: number; atMs: number }[]; refreshes: number };

const STEP_MS_MAX = 20_000;

const expectSame = (what: string, actual: unknown, expected: unknown): void => {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
};

const errorOf = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

type Step = (setting: Setting, street: (path: string) => ReturnType<typeof createClient>) => Promise<void>;

const STEPS: Record<string, Step> = {
  "an order over 503 and 429 is placed once": async ({ order, rootUrl }, street) => {
    const count = async (): Promise<number> => (await street("").orders.list({ per_page: 100 })).data.length;
    const before = await count();
    const placed = await street("/stumbling").orders.create(order);
    expectSame("status", placed.data.status, "placed");
    const { attempts } = (await (await fetch(`${rootUrl}/seen`)).json()) as Seen;
    expectSame(
      "answers",
      attempts.map(({ status }) => status),
      [503, 429, 201],
    );
    expectSame("keys", new Set(attempts.map(({ key }) => key)).size, 1);
    expectSame("a key is sent", typeof attempts[0]?.key, "string");
    expectSame("Retry-After was kept", (attempts[2]?.atMs ?? 0) - (attempts[1]?.atMs ?? 0) >= 990, true);
    expectSame("orders placed", (await count()) - before, 1);
    expectSame("the answer is the first order's", placed.isReplay, true);
  },
  "a key of name and content follows the content": async ({ order }) => {
    const [key, same, corrected] = [order, { ...order }, { ...order, note: "No onions" }].map((content) =>
      idempotencyKey("cart-1", content),
    );
    expectSame("same content", await key, await same);
    expectSame("corrected content", (await key) === (await corrected), false);
  },
  "a list awaited is its first page": async ({ itemIds }, street) => {
    const { data, meta } = await street("").items.list({ per_page: 7 });
    expectSame("rows", [data.map(({ id }) => id), meta.per_page], [itemIds.slice(0, 7), 7]);
  },
  "a list walked is every row once": async ({ itemIds }, street) => {
    const walked: number[] = [];
    for await (const { id } of street("").items.list({ per_page: 7 })) walked.push(id);
    expectSame("rows", walked, itemIds);
  },
  "a list by pages": async ({ itemIds }, street) => {
    const sizes: number[] = [];
    for await (const { data } of street("").items.list({ per_page: 7 }).pages()) sizes.push(data.length);
    expectSame("pages", sizes.length, Math.ceil(itemIds.length / 7));
    expectSame(
      "rows",
      sizes.reduce((sum, size) => sum + size, 0),
      itemIds.length,
    );
  },
  "a refusal names its fields": async ({ order }, street) => {
    const error = await errorOf(street("").orders.create({ ...order, customer_name: "", lines: [] }));
    if (!(error instanceof ApiError)) throw error;
    expectSame("refusal", [error.status, error.code], [422, "validation_failed"]);
    expectSame("fields", Object.keys(error.fields).sort(), ["customer_name", "lines"]);
    expectSame("a request id", typeof error.requestId, "string");
  },
  "an attempt ends with its time": async (_setting, street) => {
    const error = await errorOf(street("/silent").menus.list({ timeoutMs: 200, retries: 0 }));
    if (!(error instanceof ConnectionError)) throw error;
    expectSame("isTimeout", error.isTimeout, true);
  },
  "a signal ends a call with its own reason": async (_setting, street) => {
    const controller = new AbortController();
    const reason = new Error("the guest has left");
    setTimeout(() => controller.abort(reason), 100);
    if ((await errorOf(street("/silent").menus.list({ signal: controller.signal }))) !== reason) throw new Error("another reason");
  },
  "a connection that is cut is told apart": async (_setting, street) => {
    const error = await errorOf(street("/broken").menus.list({ retries: 0 }));
    if (!(error instanceof ConnectionError)) throw error;
    expectSame("isTimeout", error.isTimeout, false);
  },
  "twenty calls with an old token make one refresh": async ({ rootUrl, app, pair }) => {
    const saved: TokenPair[] = [];
    const token = renewingToken({ rootUrl, ...app }, pair, (next) => void saved.push(next));
    const client = createClient({ rootUrl, token });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.menus.list()));
    const { refreshes } = (await (await fetch(`${rootUrl}/seen`)).json()) as Seen;
    expectSame("answers, saved, refreshes", [answers.length, saved.length, refreshes], [20, 1, 1]);
  },
  "the way to the owner has its proof": async ({ rootUrl, app }) => {
    const { url, state, codeVerifier } = await askOwner({ rootUrl, ...app }, "https://app.example/back");
    const query = new URL(url).searchParams;
    expectSame("state", query.get("state"), state);
    const lengths = [codeVerifier, query.get("code_challenge")].map((text) => /^[\w-]{43}$/.test(text ?? ""));
    expectSame("PKCE", lengths, [true, true]);
  },
  "a message of the service is accepted, as text and as bytes": async ({ message: { body, header, secret } }) => {
    for (const received of [body, new TextEncoder().encode(body)])
      expectSame("event", await verifyWebhook({ body: received, header, secret }), JSON.parse(body));
    const handleOnce = deduplicate();
    const failed = await errorOf(handleOnce("a", () => Promise.reject(new Error("no paper"))));
    expectSame("a failed handler is heard", (failed as Error).message, "no paper");
    expectSame("once", [await handleOnce("a", () => {}), await handleOnce("a", () => {})], [true, false]);
  },
  "a forged message is refused, and says why": async ({ message: { body, header, secret } }) => {
    const forged: [string, Partial<Parameters<typeof verifyWebhook>[0]>][] = [
      ["no_match", { body: `${body} ` }],
      ["no_match", { secret: `${secret}x` }],
      ["no_header", { header: null }],
      ["bad_header", { header: "v1=abc" }],
      ["too_old", { now: new Date(Date.now() + 400_000) }],
    ];
    for (const [fault, changes] of forged) {
      const error = await errorOf(verifyWebhook({ body, header, secret, ...changes }));
      if (!(error instanceof WebhookError)) throw error;
      expectSame("fault", error.fault, fault);
    }
  },
  "a header for tests is the service's": async ({ message: { body, header, secret, signedAtMs } }) =>
    expectSame("header", await signWebhook(body, secret, new Date(signedAtMs)), header),
};

/** A step that hangs is a fault with a name, not a walk without an end. */
const inTime = async (step: Promise<void>): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${STEP_MS_MAX} ms`)), STEP_MS_MAX);
  });
  await Promise.race([step, late]).finally(() => clearTimeout(timer));
};

export const walk = async (setting: Setting): Promise<Check[]> => {
  const street = (path: string) => createClient({ rootUrl: `${setting.rootUrl}${path}`, token: setting.token });
  const checks: Check[] = [];
  for (const [name, step] of Object.entries(STEPS))
    checks.push(
      await inTime(step(setting, street)).then(
        () => ({ name, fault: null }),
        (error: unknown) => ({ name, fault: String(error) }),
      ),
    );
  return checks;
};
