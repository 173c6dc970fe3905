/** Mistakes of an app at the OAuth endpoints. */
import { createUser } from "../console-client.ts";
import { exchangeForm, grant, install, newPkce, postForm, refreshForm } from "../marketplace.ts";
import type { Mistake, MistakeAnswer, MistakeWorld } from "./mistake.ts";

const REFUSED = { status: 400, code: "invalid_grant" };

export const oauthMistakes = async ({ app, lab, client }: MistakeWorld): Promise<Mistake[]> => {
  const owner = { owner: await createUser(app, lab.slug, "owner"), slug: lab.slug };
  const ask = async (form: Record<string, string | undefined>): Promise<MistakeAnswer> => {
    const { status, body, headers } = await postForm(app, "/oauth/token", form);
    return {
      status,
      code: body.error ?? "",
      text: `${JSON.stringify(body)} ${headers["www-authenticate"] ?? ""} ${headers["retry-after"] ?? ""}`,
    };
  };
  const exchanged = async (changes: Record<string, string>): Promise<MistakeAnswer> =>
    ask({ ...exchangeForm(client, await grant(app, owner, client)), ...changes });
  return [
    {
      ...REFUSED,
      sent: "a wrong verifier",
      cure: /code_verifier.*code_challenge.*RFC 7636/,
      send: () => exchanged({ code_verifier: newPkce().verifier }),
    },
    {
      ...REFUSED,
      sent: "another redirect_uri",
      cure: /redirect_uri.*RFC 6749/,
      send: () => exchanged({ redirect_uri: "https://app.example/other" }),
    },
    {
      ...REFUSED,
      sent: "a code used twice",
      cure: /code was used before.*RFC 6749/,
      send: async () => {
        const form = exchangeForm(client, await grant(app, owner, client));
        await ask(form);
        return ask(form);
      },
    },
    {
      ...REFUSED,
      sent: "a refresh token used twice",
      cure: /refresh token was replaced.*send the new one.*RFC 9700/,
      send: async () => {
        const { refresh_token } = await install(app, owner, client);
        await ask(refreshForm(client, refresh_token));
        return ask(refreshForm(client, refresh_token));
      },
    },
    {
      sent: "a wrong secret",
      status: 401,
      code: "invalid_client",
      cure: /client id or secret.*RFC 6749.*Basic/,
      send: () => exchanged({ client_secret: "svc_cs_wrong" }),
    },
    {
      sent: "an unknown scope",
      status: 400,
      code: "invalid_scope",
      cure: /wider than what was granted.*RFC 6749/,
      send: async () => ask({ ...refreshForm(client, (await install(app, owner, client)).refresh_token), scope: "menu:eat" }),
    },
    {
      sent: "the request over the limit of an address",
      status: 429,
      code: "",
      cure: /from this address: wait the seconds given in Retry-After.* \d+$/,
      send: async () => {
        for (;;) {
          const answer = await ask({ grant_type: "refresh_token" });
          if (answer.status === 429) return answer;
        }
      },
    },
  ];
};
