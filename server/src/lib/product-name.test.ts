import { expect, test } from "vitest";
import { namesProduct, posesAsProduct } from "./product-name.ts";

const TWINS = [
  "Comanda",
  "COMANDA",
  "Comandа",
  "Соmаndа",
  "СОМАNDА",
  "Cοmαndα",
  "ϹΟΜΑΝDΑ",
  "Ｃｏｍａｎｄａ",
  "𝐂𝐨𝐦𝐚𝐧𝐝𝐚",
  "ᴄᴏᴍᴀɴᴅᴀ",
  "ꓚꓳꓟꓮꓠꓓꓮ",
  "ᏟOᎷᎪNᎠᎪ",
  "ⲥⲟⲙⲁⲛdⲁ",
  "C0manda",
  "Cornanda",
  "Cómändà",
  "Com\u200banda",
  "\u2066Comanda\u2069",
  "C.o.m.a.n.d.a",
  "C o m a n d a",
  "Com anda",
  "★ Comanda ★",
  "Ⓒⓞⓜⓐⓝⓓⓐ",
  "Comanda™",
  "Comanda℠",
  "ComandaⓇ",
  "Comanda🅪",
];

test.each(TWINS)("%s is the name of the platform", (name) => {
  expect([posesAsProduct(name), namesProduct(name)]).toEqual([true, true]);
});

test.each(["Comanda Support", "Соmаndа Security Team", "The Comanda Billing", "noreply comanda", "ComandaSupport", "Comanda™ Help"])(
  "%s says that the platform speaks",
  (name) => {
    expect([posesAsProduct(name), namesProduct(name)]).toEqual([true, true]);
  },
);

test.each(["La Comanda", "Comanda Bar", "Till for Comanda", "Com-anda Fácil", "Соmаndа Pay", "ComandaPay"])(
  "%s has the name in it",
  (name) => {
    expect([posesAsProduct(name), namesProduct(name)]).toEqual([false, true]);
  },
);

test.each(["Trattoria da Nino", "Comandante", "Commando", "Panda", "Support", "Com", "مطعم", "餐厅", "★", ""])("%s has not", (name) => {
  expect([posesAsProduct(name), namesProduct(name)]).toEqual([false, false]);
});
