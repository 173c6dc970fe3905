/** Names that people read and decide by: characters that nobody sees, and names that look like another. */

/** Pictures of several code points that all systems draw as one. Flags of regions are left out: they are written with invisible tags. */
const EMOJI =
  /\p{RGI_Emoji_ZWJ_Sequence}|\p{Emoji_Keycap_Sequence}|\p{RGI_Emoji_Modifier_Sequence}|\p{RGI_Emoji_Flag_Sequence}|\p{Basic_Emoji}/gv;

/** In these scripts a joiner between two letters changes how they are drawn (Unicode Standard Annex 31, 2.3). */
const JOINED = String.raw`[[\p{L}\p{M}]&&[${["Arab", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"].map((script) => String.raw`\p{scx=${script}}`).join("")}]]`;
const JOINER = new RegExp(String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`, "gv");

/**
 * Controls, line ends, what turns the direction of other words around, all that is drawn as nothing (fillers, joiners, tags, soft
 * hyphens, variation selectors), private and unassigned code points, annotations, and the empty Braille pattern.
 */
const UNSEEN = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Whether a text has characters that cannot be seen. Joiners are let be where they are part of writing a language or a picture. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text.replace(EMOJI, "").replace(JOINER, ""));

/** Letters that look alike, as pairs: the letter and what it is taken for. Upper case only where its small letter looks like another. */
const pairs = (text: string): [string, string][] => text.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]);

const CAPITALS = new Map(pairs("Ηh Νn Μm Υy Ρp Χx Βb"));

const SMALL = new Map([
  // Latin: i, l and their twins are one; so are o and zero.
  ...pairs("il 1l |l !l ıl ɩl ɪl ӏl 0o ȷj ɑa ɡg ʋv ßss đd ħh łl øo æae œoe ŧt ƒf ŋn ðd"),
  ...pairs("ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz"),
  // Cyrillic.
  ...pairs("аa вb гr еe іl јj кk мm нh оo пn рp сc тt уy хx ѕs һh ԁd ԛq ԝw ѡw ьb ғf ԑe өo ѵv үy ұy ҫc ӕae"),
  // Greek.
  ...pairs("αa βb γy εe ζz ηn ιl κk μu νv οo ρp τt υu χx ωw ςc"),
  // Armenian.
  ...pairs("օo սu հh ոn յj"),
]);

/** Two letters that are read as one. */
const TOGETHER: [RegExp, string][] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
];

const NOT_DRAWN = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const NO_LETTER = /[^\p{L}\p{N}]/gu;

const mapped = (text: string, twins: ReadonlyMap<string, string>): string =>
  [...text].map((letter) => twins.get(letter) ?? letter).join("");

/** The same for names that look the same: without case, accents, spaces and signs, and with look-alikes of other scripts made Latin. */
export const skeletonOf = (name: string): string => {
  const plain = name.normalize("NFKD").replace(NOT_DRAWN, "");
  const latin = mapped(mapped(plain, CAPITALS).toLowerCase(), SMALL);
  const letters = TOGETHER.reduce((text, [pattern, letter]) => text.replace(pattern, letter), latin.replace(NO_LETTER, ""));
  // A name of signs alone is compared by its signs.
  return letters === "" ? plain.replace(/\s/g, "") : letters;
};
