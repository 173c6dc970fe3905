/** Checks of every SDK feature with web platform APIs only, so that the same file runs on every runtime. */
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

export type CheckSettings = {
  /** The faulty proxy: `/stumbling` fails twice, `/silent` never answers, `/broken` closes the connection. */
  rootUrl: string;
  token: string;
  order: NewOrder;
  itemIds: number[];
  app: { clientId: string; clientSecret: string };
  pair: TokenPair;
  message: { body: string; header: string; secret: string; signedAtMs: number };
};
export type SdkCheckResult = { name: string; fault: string | null };
/** What the proxy recorded. */
export type ProxyRecord = { attempts: { key: string | null; status: number; atMs: number }[]; refreshes: number };

const CHECK_MS_MAX = 20_000;

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

type SdkCheck = (settings: CheckSettings, clientAt: (path: string) => ReturnType<typeof createClient>) => Promise<void>;

const CHECKS: Record<string, SdkCheck> = {
  "an order over 503 and 429 is placed once": async ({ order, rootUrl }, clientAt) => {
    const count = async (): Promise<number> => (await clientAt("").orders.list({ per_page: 100 })).data.length;
    const before = await count();
    const placed = await clientAt("/stumbling").orders.create(order);
    expectSame("status", placed.data.status, "placed");
    const { attempts } = (await (await fetch(`${rootUrl}/seen`)).json()) as ProxyRecord;
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
  "a list awaited is its first page": async ({ itemIds }, clientAt) => {
    const { data, meta } = await clientAt("").items.list({ per_page: 7 });
    expectSame("rows", [data.map(({ id }) => id), meta.per_page], [itemIds.slice(0, 7), 7]);
  },
  "a list walked is every row once": async ({ itemIds }, clientAt) => {
    const rows: number[] = [];
    for await (const { id } of clientAt("").items.list({ per_page: 7 })) rows.push(id);
    expectSame("rows", rows, itemIds);
  },
  "a list by pages": async ({ itemIds }, clientAt) => {
    const sizes: number[] = [];
    for await (const { data } of clientAt("").items.list({ per_page: 7 }).pages()) sizes.push(data.length);
    expectSame("pages", sizes.length, Math.ceil(itemIds.length / 7));
    expectSame(
      "rows",
      sizes.reduce((sum, size) => sum + size, 0),
      itemIds.length,
    );
  },
  "a refusal names its fields": async ({ order }, clientAt) => {
    const error = await errorOf(clientAt("").orders.create({ ...order, customer_name: "", lines: [] }));
    if (!(error instanceof ApiError)) throw error;
    expectSame("refusal", [error.status, error.code], [422, "validation_failed"]);
    expectSame("fields", Object.keys(error.fields).sort(), ["customer_name", "lines"]);
    expectSame("a request id", typeof error.requestId, "string");
  },
  "a wait that is too long is not begun, and each wait is told": async ({ rootUrl, token }) => {
    const waits: number[] = [];
    const onRetry = ({ waitMs }: { waitMs: number }): void => void waits.push(waitMs);
    const client = createClient({ rootUrl: `${rootUrl}/broken`, token, retries: 2, maxWaitMs: 20, onRetry });
    const error = await errorOf(client.menus.list());
    expectSame("waits", [error instanceof ConnectionError, waits], [true, [20, 20]]);
  },
  "an address or an id that cannot be right is refused before it is sent": async ({ token }, clientAt) => {
    for (const rootUrl of ["127.0.0.1:4000", "http://127.0.0.1:4000/", "http://127.0.0.1:4000/api/v1"]) {
      const error = await errorOf((async () => createClient({ rootUrl, token }))());
      expectSame("advice", String(error).includes('Write "http://127.0.0.1:4000"'), true);
    }
    const error = await errorOf(clientAt("").orders.get(undefined as unknown as string));
    expectSame("an id", error instanceof TypeError, true);
  },
  "an attempt ends with its time": async (_setting, clientAt) => {
    const error = await errorOf(clientAt("/silent").menus.list({ timeoutMs: 200, retries: 0 }));
    if (!(error instanceof ConnectionError)) throw error;
    expectSame("isTimeout", error.isTimeout, true);
  },
  "a signal ends a call with its own reason": async (_setting, clientAt) => {
    const controller = new AbortController();
    const reason = new Error("the guest has left");
    setTimeout(() => controller.abort(reason), 100);
    if ((await errorOf(clientAt("/silent").menus.list({ signal: controller.signal }))) !== reason) throw new Error("another reason");
  },
  "a connection that is cut is told apart": async (_setting, clientAt) => {
    const error = await errorOf(clientAt("/broken").menus.list({ retries: 0 }));
    if (!(error instanceof ConnectionError)) throw error;
    expectSame("isTimeout", error.isTimeout, false);
  },
  "twenty calls with an old token make one refresh": async ({ rootUrl, app, pair }) => {
    const saved: TokenPair[] = [];
    const token = renewingToken({ rootUrl, ...app }, { load: () => saved.at(-1) ?? pair, save: (next) => void saved.push(next) });
    const client = createClient({ rootUrl, token });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.menus.list()));
    const { refreshes } = (await (await fetch(`${rootUrl}/seen`)).json()) as ProxyRecord;
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

/** A check that hangs fails by name instead of blocking the run. */
const withTimeout = async (check: Promise<void>): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${CHECK_MS_MAX} ms`)), CHECK_MS_MAX);
  });
  await Promise.race([check, late]).finally(() => clearTimeout(timer));
};

export const runChecks = async (settings: CheckSettings): Promise<SdkCheckResult[]> => {
  const clientAt = (path: string) => createClient({ rootUrl: `${settings.rootUrl}${path}`, token: settings.token });
  const checks: SdkCheckResult[] = [];
  for (const [name, check] of Object.entries(CHECKS))
    checks.push(
      await withTimeout(check(settings, clientAt)).then(
        () => ({ name, fault: null }),
        (error: unknown) => ({ name, fault: String(error) }),
      ),
    );
  return checks;
};
