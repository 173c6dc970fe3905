/** Accents and letter case do not matter in a search: staff write "tiramisu" for "Tiramisù". */
export const foldText = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();
