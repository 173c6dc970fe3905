/** Every value of one header as it was sent, in its order: Node joins or drops repeated ones. */
export const headerValues = (rawHeaders: readonly string[], name: string): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
