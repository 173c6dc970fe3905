/** Detects invisible characters in names, and names that look like another name. */

/** Emoji sequences. Flags of regions are left out, because they consist of invisible tag characters. */
const EMOJI =
  /\p{RGI_Emoji_ZWJ_Sequence}|\p{Emoji_Keycap_Sequence}|\p{RGI_Emoji_Modifier_Sequence}|\p{RGI_Emoji_Flag_Sequence}|\p{Basic_Emoji}/gv;

/** In these scripts a joiner between two letters changes how they are drawn (Unicode Standard Annex 31, 2.3). */
const JOINED = String.raw`[[\p{L}\p{M}]&&[${["Arab", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"].map((script) => String.raw`\p{scx=${script}}`).join("")}]]`;
const JOINER = new RegExp(String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`, "gv");

/**
 * Control characters, line ends, bidirectional overrides, invisible characters (fillers, joiners, tags, soft hyphens, variation selectors),
 * private and unassigned code points, annotations, and the empty Braille pattern.
 */
const UNSEEN = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** True when the text has invisible characters. Joiners are allowed where a language or an emoji needs them. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text.replace(EMOJI, "").replace(JOINER, ""));

/** Pairs of look-alikes: a letter and the Latin letter it resembles. Upper case only where the lower case resembles another letter. */
const pairs = (text: string): [string, string][] => text.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]);

const CAPITALS = new Map([
  ...pairs("Ηh Νn Μm Υy Ρp Χx Βb"),
  // Cherokee.
  ...pairs("Ꭺa Ᏼb Ꮯc Ꭰd Ꭼe Ꮐg Ꮋh Ꭻj Ꮶk Ꮮl Ꮇm Ꮲp Ꮢr Ꮪs Ꭲt Ꮩv Ꮤw Ꮓz"),
]);

const SMALL = new Map([
  // Latin: i, l and their twins are one; so are o and zero.
  ...pairs("il 1l |l !l ıl ɩl ɪl ӏl 0o ȷj ɑa ɡg ʋv ßss đd ħh łl øo æae œoe ŧt ƒf ŋn ðd"),
  ...pairs("ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz"),
  // Cyrillic.
  ...pairs("аa вb гr еe іl јj кk мm нh оo пn рp сc тt уy хx ѕs һh ԁd ԛq ԝw ѡw ьb ғf ԑe өo ѵv үy ұy ҫc ӕae"),
  // Greek.
  ...pairs("αa βb γy εe ζz ηn ιl κk μu νv οo ρp τt υu χx ωw ςc"),
  // Coptic, and Lisu, whose letters are Latin capitals.
  ...pairs("ⲁa ⲃb ⲥc ⲉe ⲏh ⲕk ⲙm ⲛn ⲟo ⲣp ⲧt ⲩy ⲭx"),
  ...pairs("ꓮa ꓐb ꓚc ꓓd ꓰe ꓝf ꓖg ꓧh ꓲl ꓙj ꓗk ꓡl ꓟm ꓠn ꓳo ꓑp ꓣr ꓢs ꓔt ꓴu ꓦv ꓪw ꓫx ꓬy ꓜz"),
  // Armenian.
  ...pairs("օo սu հh ոn յj"),
]);

/** Letter pairs that resemble one letter. */
const TOGETHER: [RegExp, string][] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
];

/** Normalization makes it a sigma, which looks like no Latin letter. */
const LUNATE_SIGMA = "\u03F9";

/** Letters in a ring, wide letters and the like become letters, and accents stand alone. */
export const decomposed = (text: string): string => text.replaceAll(LUNATE_SIGMA, "C").normalize("NFKD");

const NOT_DRAWN = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const NO_LETTER = /[^\p{L}\p{N}]/gu;

const mapped = (text: string, twins: ReadonlyMap<string, string>): string =>
  [...text].map((letter) => twins.get(letter) ?? letter).join("");

/** Equal for names that look alike: without case, accents, spaces and signs, with look-alikes of other scripts as Latin letters. */
export const skeletonOf = (name: string): string => {
  const plain = decomposed(name).replace(NOT_DRAWN, "");
  const latin = mapped(mapped(plain, CAPITALS).toLowerCase(), SMALL);
  const letters = TOGETHER.reduce((text, [pattern, letter]) => text.replace(pattern, letter), latin.replace(NO_LETTER, ""));
  // A name that consists of signs only is compared by its signs.
  return letters === "" ? plain.replace(/\s/g, "") : letters;
};
