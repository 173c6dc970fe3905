/** Valid writes for what has access to a venue: tokens, apps, addresses of webhooks, the till, screens, and the venue's sandbox. */
import type { ConsoleCallOptions } from "./console-client.ts";
import { confirmPassword } from "./console-writes-guests.ts";
import { newConsent } from "./console-writes-people.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";
import { install, newApp } from "./marketplace.ts";
import { beginPairing, pairScreen, SCREEN_SETTINGS } from "./paired-screen.ts";

const TOKEN = { name: "website", scopes: ["menu:read" as const] };
const HOOK = { url: "https://example.com/hook", events: ["order.created" as const] };

type NewRow = { params: { id: number } };

/** Made by the owner, whose password was confirmed a moment ago. */
const made = async ({ owner, done }: WritesWorld, path: string, body: object): Promise<NewRow> => {
  await confirmPassword(owner);
  return { params: { id: (await done("POST", path, body)).id } };
};

const newToken = (world: WritesWorld): Promise<NewRow> => made(world, "/tokens", TOKEN);
const newHook = (world: WritesWorld): Promise<NewRow> => made(world, "/webhooks", HOOK);

export const newDelivery = async (world: WritesWorld, state: "failed" | "waiting"): Promise<number> => {
  const { params } = await newHook(world);
  await world.done("POST", `/webhooks/${params.id}/ping`, {});
  const [delivery] = await world.app.database.asOwner<{ id: string }>(
    `update deliveries set state = $2, attempts = 1, due_at = case $2 when 'waiting' then now() + interval '1 hour' end
     where endpoint_id = $1 returning id`,
    [params.id, state],
  );
  return Number(delivery?.id);
};

const newScreen = async ({ app, lab, owner }: WritesWorld): Promise<NewRow> => ({
  params: { id: (await pairScreen(app, lab.slug, owner)).id },
});

const byCafeOwner = ({ cafe, cafeOwner }: WritesWorld): { params: { venue: string }; by: ConsoleCallOptions } => ({
  params: { venue: cafe.slug },
  by: { cookie: cafeOwner.cookie },
});

type AccessCalls =
  | "createToken"
  | "rollToken"
  | "revokeToken"
  | "allowConsent"
  | "uninstallApp"
  | "addWebhook"
  | "changeWebhook"
  | "removeWebhook"
  | "rotateSecret"
  | "pingWebhook"
  | "replayDeliveries"
  | "retryDeliveries"
  | "connectTill"
  | "pairScreen"
  | "changeScreen"
  | "endScreen"
  | "openSandbox"
  | "resetSandbox";

export const accessScenarios: Scenarios<AccessCalls> = {
  createToken: async ({ owner }) => {
    await confirmPassword(owner);
    return { body: TOKEN };
  },
  rollToken: async (world) => ({ ...(await newToken(world)), body: { overlap: "1h" } }),
  revokeToken: newToken,
  allowConsent: async (world) => {
    await confirmPassword(world.owner);
    return { body: { request: await newConsent(world), scopes: ["menu:read"] } };
  },
  uninstallApp: async ({ app, lab, owner, done }) => {
    await install(app, { owner, slug: lab.slug }, await newApp(app.deps));
    const [installed]: { id: number }[] = await done("GET", "/apps");
    return { params: { id: installed?.id ?? 0 } };
  },
  addWebhook: async ({ owner }) => {
    await confirmPassword(owner);
    return { body: HOOK };
  },
  changeWebhook: async (world) => ({ ...(await newHook(world)), body: { description: "changed" } }),
  removeWebhook: newHook,
  rotateSecret: newHook,
  pingWebhook: newHook,
  replayDeliveries: async (world) => ({ body: { ids: [await newDelivery(world, "failed")] } }),
  retryDeliveries: async (world) => ({ body: { ids: [await newDelivery(world, "waiting")] } }),
  connectTill: async (world) => {
    await confirmPassword(world.cafeOwner);
    return { ...byCafeOwner(world), body: { seen_url: null, url: "https://pos.example/orders" } };
  },
  pairScreen: async ({ app, owner }) => {
    await confirmPassword(owner);
    return { body: { ...SCREEN_SETTINGS, language: "en", code: (await beginPairing(app)).code } };
  },
  changeScreen: async (world) => ({ ...(await newScreen(world)), body: { name: "Grill" } }),
  endScreen: newScreen,
  openSandbox: async (world) => byCafeOwner(world),
  resetSandbox: async (world) => {
    const opened = await world.cafeOwner.call("POST", `/venues/${world.cafe.slug}/sandbox`);
    if (opened.status !== 201) throw new Error(opened.text);
    return byCafeOwner(world);
  },
};
