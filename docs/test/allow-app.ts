/** Allows an app as an owner, and prints the code of the redirect: `allow-app.ts <client id> <challenge> <state>`. */
import { spawnSync } from "node:child_process";

const [, , client_id = "", code_challenge = "", state = ""] = process.argv;
const owner = JSON.parse(process.env.OWNER ?? "{}") as { root_url: string };
const query = new URLSearchParams({
  response_type: "code",
  client_id,
  redirect_uri: "https://app.example/back",
  scope: "menu:read orders:read",
  state,
  code_challenge,
  code_challenge_method: "S256",
});
const request = { ...owner, authorize_url: `${owner.root_url}/oauth/authorize?${query}`, allow: ["menu:read", "orders:read"] };
const { stdout } = spawnSync(process.execPath, [`${process.env.ROOT}/scripts/consent.ts`], { input: `${JSON.stringify(request)}\n` });
const { redirect_to = "" } = JSON.parse(stdout.toString()) as { redirect_to?: string };
process.stdout.write(new URL(redirect_to).searchParams.get("code") ?? "");
