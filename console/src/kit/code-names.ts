/** The languages that a venue can choose for its texts: those that guests of restaurants read most, the most frequent first. */
export const OFFERED_LANGUAGES = "en ar de es fr it pt nl tr ru uk pl el sv he fa hi ur zh ja ko".split(" ");

/** Names of languages, currencies and countries. Browsers leave out the rarest: they would give back the code. */

type CodeKind = "language" | "currency" | "region";
type KnownLanguage = "en" | "ar";

const RARE: Record<string, Record<KnownLanguage, string>> = {
  XCG: { en: "Caribbean Guilder", ar: "غيلدر كاريبي" },
  SLE: { en: "Sierra Leonean Leone", ar: "ليون سيراليوني" },
  ZWG: { en: "Zimbabwean Gold", ar: "ذهب زيمبابوي" },
  bi: { en: "Bislama", ar: "البيسلامية" },
  dz: { en: "Dzongkha", ar: "الزونخاية" },
  kl: { en: "Greenlandic", ar: "الغرينلاندية" },
  pap: { en: "Papiamento", ar: "البابيامنتو" },
  pau: { en: "Palauan", ar: "البالوان" },
  rn: { en: "Rundi", ar: "الرندي" },
  sg: { en: "Sango", ar: "السانغو" },
  tpi: { en: "Tok Pisin", ar: "التوك بيسين" },
  tvl: { en: "Tuvaluan", ar: "التوفالو" },
};

export type CodeNames = { of(code: string): string | undefined };

const namesOfBrowser = (kind: CodeKind, language: KnownLanguage): CodeNames => new Intl.DisplayNames([language], { type: kind });

/** The code itself where neither the browser nor the list has a name. */
export const codeNames = (kind: CodeKind, language: KnownLanguage, known = namesOfBrowser(kind, language)): ((code: string) => string) => {
  return (code) => {
    try {
      const name = known.of(code) ?? code;
      return name === code ? (RARE[code]?.[language] ?? code) : name;
    } catch {
      return code;
    }
  };
};
