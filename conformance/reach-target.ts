/** Before the first test: is there a server where the target file says, and does it know the lab's token? Bookings are cleared on both sides. */
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
