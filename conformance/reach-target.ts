/**
 * Runs before the first test. It checks that the target's server answers and accepts the lab's token. Cancels bookings before and after the
 * run.
 */
import { cancelBookings } from "./reservations/tidy.ts";
import { lab, target } from "./target.ts";

export const setup = async (): Promise<void> => {
  const url = `${target.base_url}/menus`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${lab.tokens.full}` } }).catch((cause: unknown) => {
    throw new Error(`No server answers at ${url}.`, { cause });
  });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status} to the lab's full token.`);
  await cancelBookings();
};

export const teardown = cancelBookings;
