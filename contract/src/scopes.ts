/** What a bearer token may do (contract §5.1), and the parts of a plan that open whole areas (§1.7). */
import { type AREAS, type AreaName, areas } from "./areas.ts";

export type Scope = { [A in AreaName]: keyof (typeof AREAS)[A]["scopes"] }[AreaName];

export const SCOPES = Object.assign({}, ...areas.map(({ scopes }) => scopes)) as Readonly<Record<Scope, string>>;
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

export const FEATURES = ["reservations", "reporting"] as const;
export type Feature = (typeof FEATURES)[number];
