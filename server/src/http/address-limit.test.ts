import { expect, test } from "vitest";
import { countAddress, NETWORK_FACTOR } from "./address-limit.ts";
import { createRateLimiter } from "./rate-limit.ts";

test("a /64 has the limit of one address, a /48 eight times as much, and a host over its limit takes nothing from its neighbours", async () => {
  const limiter = createRateLimiter(null);
  const limit = 10;
  const passed = async (prefix: string, times: number): Promise<number> => {
    let count = 0;
    for (let n = 0; n < times; n++) {
      const { isOver } = await countAddress(limiter, { who: "t", address: `${prefix}${n.toString(16)}`, limit });
      if (!isOver) count++;
    }
    return count;
  };
  expect(await passed("2001:db8:1:0::", 500)).toBe(limit);
  for (let host = 1; host < NETWORK_FACTOR; host++) expect(await passed(`2001:db8:1:${host}::`, 12)).toBe(limit);
  expect(await passed("2001:db8:1:ff::", 12)).toBe(0);
  expect(await passed("2001:db8:2:0::", 12)).toBe(limit);
});
