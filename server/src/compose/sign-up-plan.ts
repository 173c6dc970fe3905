/** Says who may open a venue in the browser, and on which plan; the plan is checked at the start. */
import { openDb } from "#db/pool.ts";
import { UserError } from "#lib/errors.ts";
import { requirePlan } from "#platform/tenants/service.ts";
import type { SignUpRules } from "#venue/setup/sign-up/service/links.ts";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";

const DEFAULT_PLAN = "complete";

export const signUpPlanOf = ({ signUpPlan }: Pick<Config, "signUpPlan">): string => signUpPlan ?? DEFAULT_PLAN;

export const signUpRules = ({ config, metrics }: Pick<Deps, "config" | "metrics">): SignUpRules => ({
  isOpen: config.signUp === "open",
  plan: signUpPlanOf(config),
  mailsPerHourMax: config.signUpMailsPerHourMax,
  countAsk: metrics.countAsk,
});

export const checkSignUpPlan = async ({ pool, config }: Pick<Deps, "pool" | "config">): Promise<void> => {
  await requirePlan(openDb(pool), signUpPlanOf(config)).catch((error: unknown) => {
    throw error instanceof UserError ? new UserError(`SIGN_UP_PLAN cannot be used. ${error.message}`) : error;
  });
};
