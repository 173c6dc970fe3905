import type { FastifyRequest } from "fastify";

/** The encodings are in the order in which we prefer them. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A quality of zero refuses an encoding (RFC 9110 §12.5.3). Other qualities do not change our order. */
export const acceptedEncodings = ({ headers }: FastifyRequest): Encoding[] => {
  const wanted = (headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]?.trim());
  return ENCODINGS.filter((encoding) => wanted.includes(encoding));
};
