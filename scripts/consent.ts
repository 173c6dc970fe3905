/**
 * An owner's browser for the conformance kit: signs in to the console and decides, as the console's own page does. Reads
 * wishes from stdin, one JSON object in a line, and answers each with one line.
 */
import { createInterface } from "node:readline";

type ConsentingUser = { email: string; password: string };
type ConsentCommand = { root_url: string; person: ConsentingUser; venue: string } & (
  | { authorize_url: string; allow: string[] | null }
  | { uninstall: string }
);

const cookies = new Map<string, string>();

const call = async (rootUrl: string, method: string, path: string, options: { cookie?: string; body?: object } = {}): Promise<Response> =>
  fetch(`${rootUrl}/console/api${path}`, {
    method,
    headers: {
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
      ...(options.cookie ? { cookie: options.cookie } : {}),
    },
    ...(options.body ? { body: JSON.stringify(options.body) } : {}),
  });

const signIn = async (rootUrl: string, person: ConsentingUser): Promise<string> => {
  const known = cookies.get(person.email);
  if (known) return known;
  const answer = await call(rootUrl, "POST", "/session", { body: person });
  if (!answer.ok) throw new Error(`${person.email} cannot sign in: ${await answer.text()}`);
  const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
  cookies.set(person.email, cookie);
  return cookie;
};

const runCommand = async (wish: ConsentCommand): Promise<object> => {
  const { root_url, venue } = wish;
  const cookie = await signIn(root_url, wish.person);
  if ("uninstall" in wish) {
    const { data } = (await (await call(root_url, "GET", `/venues/${venue}/apps`, { cookie })).json()) as {
      data: { id: number; app: { client_id: string } }[];
    };
    const installed = data.find(({ app }) => app.client_id === wish.uninstall);
    const answer = await call(root_url, "DELETE", `/venues/${venue}/apps/${installed?.id ?? 0}`, { cookie });
    return { done: answer.ok };
  }
  const asked = await fetch(wish.authorize_url, { redirect: "manual" });
  const request = /\/console\/consent\/(\w+)$/.exec(asked.headers.get("location") ?? "")?.[1];
  if (request === undefined) return { redirect_to: asked.headers.get("location"), status: asked.status };
  const answer =
    wish.allow === null
      ? await call(root_url, "POST", "/consents/deny", { cookie, body: { request } })
      : await call(root_url, "POST", `/venues/${venue}/consents`, { cookie, body: { request, scopes: wish.allow } });
  const body = (await answer.json()) as { data?: { redirect_to: string }; error?: { code: string } };
  return body.data ?? { refused: body.error?.code ?? answer.status };
};

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await runCommand(JSON.parse(line) as ConsentCommand).catch((error: unknown) => ({ failed: String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
