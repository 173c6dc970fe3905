/** The parts of a diagram that its list and its picture share. */
export type Escape = (text: string) => string;
export type Arrow = { from: string; to: string };
export type DiagramMessage = Arrow & { words: string };
