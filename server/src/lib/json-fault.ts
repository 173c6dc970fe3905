/** Says where a text is no JSON. The parser's own words would repeat a part of the text, so at most one character of it is named. */
export const jsonFault = (error: unknown): string => {
  const [, position, token] = /at position (\d+)|^SyntaxError: Unexpected token '(.)'/u.exec(String(error)) ?? [];
  if (position !== undefined) return `look at character ${Number(position) + 1}`;
  return token === undefined ? "it ends too early" : `${token} is not expected where it stands. Texts and names are in double quotes`;
};
