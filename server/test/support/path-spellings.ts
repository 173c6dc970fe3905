/** Other ways to write a path that a proxy or a router might take for the same one. */
const encoded = (path: string): string => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`;

const spell = (path: string): string[] => [
  path,
  `${path}/`,
  `${path}//`,
  `/${path}`,
  `/.${path}`,
  `/x/..${path}`,
  `${path}?a=b`,
  `${path};a=b`,
  `${path}%20`,
  `${path}%2f`,
  `${path}%00`,
  path.toUpperCase(),
  encoded(path),
  `${encoded(path)}/`,
];

export const spellingsOf = (...paths: string[]): string[] => paths.flatMap(spell);
