/** The part of an address that people can judge. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
