import { ApiError } from "@comanda/sdk";
import { CommandError, EXIT } from "./errors.ts";

/** The sandbox's operations do not exist for a live restaurant's token. `more` says what to do with that token instead. */
export const sayWhere = (error: unknown, more = ""): never => {
  if (error instanceof ApiError && error.status === 404)
    throw new CommandError(
      EXIT.failed,
      `Only a sandbox can do this, and this is not the token of a sandbox. Log in with its token: the owner finds it in the console, under Sandbox.${more}`,
    );
  throw error;
};
