/** The slug of a sandbox is that of its restaurant with this at the end. No other slug has a full stop. */
export const SANDBOX_SLUG_ENDING = ".sandbox";

export const sandboxSlugOf = (liveSlug: string): string => `${liveSlug}${SANDBOX_SLUG_ENDING}`;

export const isSandboxSlug = (slug: string): boolean => slug.endsWith(SANDBOX_SLUG_ENDING);

/** Returns the slug of the restaurant that the slug, or its sandbox, belongs to. */
export const liveSlugOf = (slug: string): string => (isSandboxSlug(slug) ? slug.slice(0, -SANDBOX_SLUG_ENDING.length) : slug);
