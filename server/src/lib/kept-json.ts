/** JSON of an object that is kept as bytes, because making it costs the main thread more than sending it. */

/** `members` are of the same object and different each time, such as the time. */
export type KeptJson<T extends object> = { readonly keptJson: Buffer; readonly members: object; readonly of?: T };

export const keptJson = <T extends object>(value: T): KeptJson<T> => ({ keptJson: Buffer.from(JSON.stringify(value)), members: {} });

export const isKeptJson = (value: unknown): value is KeptJson<object> => typeof value === "object" && value !== null && "keptJson" in value;

export const withMembers = <T extends object, M extends object>(kept: KeptJson<T>, members: M): KeptJson<T & M> => ({
  keptJson: kept.keptJson,
  members: { ...kept.members, ...members },
});

const membersText = (members: object): string => {
  const text = JSON.stringify(members).slice(1, -1);
  return text === "" ? "" : `,${text}`;
};

/** JSON in pieces that are sent one after the other, so that what is kept is not copied. */
export type JsonPieces = readonly Buffer[];

/** An object whose first member is kept. */
export const jsonAround = (name: string, { keptJson: kept, members }: KeptJson<object>, others: object = {}): JsonPieces => [
  Buffer.from(`{${JSON.stringify(name)}:`),
  kept.subarray(0, -1),
  Buffer.from(`${membersText(members)}}${membersText(others)}}`),
];
