/**
 * Opens the console without a connection. It keeps the page and the code of the service pages of one build together; the page's nonce and
 * its policy are those of one answer, so they fit. It never keeps an answer of a call, and answers nothing outside of /console/.
 */

/** The build writes these three. */
declare const __BUILD__: string;
declare const __ENTRY__: string;
declare const __FILES__: readonly string[];

/** The types of a worker and of a page cannot be loaded together. */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void };
type WorkerFetchEvent = WorkerEvent & { readonly request: Request; respondWith(answer: Promise<Response>): void };
type WorkerScope = { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } } & Pick<EventTarget, "addEventListener">;
const worker = globalThis as unknown as WorkerScope;

const FOLDER = "/console/";
const CALLS = "/console/api/";
const ASSETS = "/console/assets/";
const PREFIX = "comanda-shell-";
const CACHE = `${PREFIX}${__BUILD__}`;
/** Open pages of the build before may still load their code from here. */
const BUILDS_MAX = 2;
/** After this time a connection that does not answer counts as none. */
const ANSWER_MS_MAX = 4000;
const AWAY_STATUSES: readonly number[] = [502, 503, 504];

/** All files of the build or none. The page must be of this build too: while a release is rolled out, two builds are served. */
const install = async (): Promise<void> => {
  const cache = await caches.open(CACHE);
  const page = await fetch(FOLDER, { cache: "no-store", credentials: "omit" });
  if (!page.ok || !(await page.clone().text()).includes(__ENTRY__)) {
    await caches.delete(CACHE);
    throw new Error("The page is of another build.");
  }
  await cache.addAll(__FILES__.map((file) => FOLDER + file));
  await cache.put(FOLDER, page);
  await worker.skipWaiting();
};

const activate = async (): Promise<void> => {
  const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(builds.slice(0, Math.max(0, builds.length - BUILDS_MAX + 1)).map((name) => caches.delete(name)));
  await worker.clients.claim();
};

const findPage = async (): Promise<Response | undefined> => (await caches.open(CACHE)).match(FOLDER);

/** The service's page as long as it answers, so that a new build is seen at once. */
const answerPage = async (request: Request): Promise<Response> => {
  const kept = await findPage();
  if (!kept) return fetch(request);
  const tooLate = new Promise<Response>((resolve) => setTimeout(() => resolve(kept.clone()), ANSWER_MS_MAX));
  const answer = fetch(request).then((given) => (AWAY_STATUSES.includes(given.status) ? kept : given));
  return Promise.race([answer, tooLate]).catch(() => kept);
};

/** The name of a file holds a hash of its content, so a kept one is right in every build. */
const answerFile = async (request: Request): Promise<Response> => {
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && request.url.endsWith(".woff2")) await (await caches.open(CACHE)).put(request.url, answer.clone());
  return answer;
};

const answerOf = (request: Request): Promise<Response> | null => {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== globalThis.location.origin) return null;
  if (!pathname.startsWith(FOLDER) || pathname.startsWith(CALLS)) return null;
  if (pathname.startsWith(ASSETS)) return answerFile(request);
  return request.mode === "navigate" ? answerPage(request) : null;
};

worker.addEventListener("install", (event) => (event as WorkerEvent).waitUntil(install()));
worker.addEventListener("activate", (event) => (event as WorkerEvent).waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const asked = event as WorkerFetchEvent;
  const answer = answerOf(asked.request);
  if (answer) asked.respondWith(answer);
});
