import { describe, expect, test } from "vitest";
import { hasUnseen, skeletonOf } from "./confusable-names.ts";

const between = (code: number): string => `Ta${String.fromCodePoint(code)}ble`;

describe("invisible characters", () => {
  test("every default-ignorable code point, bidi control, control and tag is found, alone and between letters", () => {
    const found: string[] = [];
    let tried = 0;
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const one = String.fromCodePoint(code);
      if (!/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}]/u.test(one)) continue;
      tried++;
      if (!hasUnseen(one) || !hasUnseen(between(code))) found.push(code.toString(16));
    }
    expect(tried).toBeGreaterThan(4000);
    expect(found).toEqual([]);
  });

  test.each([
    ["left-to-right mark", 0x200e],
    ["Arabic letter mark", 0x061c],
    ["soft hyphen", 0x00ad],
    ["Hangul filler", 0x3164],
    ["halfwidth Hangul filler", 0xffa0],
    ["Hangul initial filler", 0x115f],
    ["tag letter", 0xe0041],
    ["variation selector", 0xfe0f],
    ["combining grapheme joiner", 0x034f],
    ["zero width joiner in Latin", 0x200d],
    ["word joiner", 0x2060],
    ["right-to-left override", 0x202e],
    ["annotation anchor", 0xfff9],
    ["empty Braille pattern", 0x2800],
    ["private use", 0xe000],
    ["unassigned", 0x0378],
  ])("%s", (_name, code) => {
    expect(hasUnseen(between(code))).toBe(true);
  });

  test("writing that needs joiners, and pictures, are let be", () => {
    for (const text of ["Café 👨‍🍳", "کتاب‌خانه", "مطعم التطبيق", "क्‍ष", "❤️ Pizza", "1️⃣ Till", "🇮🇹 Nonna", "👍🏽", "餐厅", "Smørrebrød & Søn"])
      expect(hasUnseen(text), text).toBe(false);
    // The joiner is unseen where it changes nothing.
    for (const text of ["کتاب\u200c", "\u200cکتاب", "Ta\u200cble", "👨\u200dx", "🏴\u{E0067}\u{E0062}\u{E007F}"])
      expect(hasUnseen(text), text).toBe(true);
  });
});

describe("names that look like another", () => {
  test.each([
    ["Table Talk", "TABLE TALK"],
    ["Table Talk", "table-talk"],
    ["Table Talk", "Tаblе Tаlk"],
    ["Table Talk", "Τable Τalk"],
    ["Table Talk", "Tab1e Talk"],
    ["Table Talk", "TabIe TaIk"],
    ["Table Talk", "Ｔａｂｌｅ　Ｔａｌｋ"],
    ["Table Talk", "𝐓𝐚𝐛𝐥𝐞 𝐓𝐚𝐥𝐤"],
    ["Table Talk", "ᴛᴀʙʟᴇ ᴛᴀʟᴋ"],
    ["Table Talk", "Tȧble Ṫalk"],
    ["Table Talk", "Ta\u00adble Talk\u3164"],
    ["Modern", "Modem"],
    ["WAVE", "VVAVE"],
    ["HOPE", "ΗΟΡΕ"],
    ["COP", "СОР"],
    ["Stripe", "Ѕtrіре"],
    ["Orders 100", "Orders lOO"],
    ["★★★", "★ ★ ★"],
  ])("%s and %s", (name, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(name));
  });

  test("names that differ stay apart", () => {
    const names = [
      "Table Talk",
      "Table Walk",
      "Tables",
      "Till",
      "Ledger",
      "Order",
      "Orders",
      "مطعم",
      "مطبخ",
      "餐厅",
      "食堂",
      "★",
      "☆",
      "Кухня",
      "Кафе",
    ];
    expect(new Set(names.map(skeletonOf)).size).toBe(names.length);
  });
});
