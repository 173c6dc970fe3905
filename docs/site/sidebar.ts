/** The site's pages in their order: the readers with the tables of their indexes, then the pages made from the contract. */
import { type Guide, READERS, readGuides } from "../../server/src/http/docs/guide-files.ts";
import { REFERENCE_PAGES } from "./reference-pages.ts";

type SidebarPage = { text: string; link: string };
type SidebarTable = { text: string; items: SidebarPage[] };
type SidebarGroup = { text: string; items: (SidebarPage | SidebarTable)[] };

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The header of a table is its name, its first column the guides. */
const tablesOf = (index: string): SidebarTable[] => {
  const tables: SidebarTable[] = [];
  for (const line of index.split("\n")) {
    const header = /^\| ([a-z][a-z ,']+?) +\| what you find there +\|$/.exec(line)?.[1];
    if (header !== undefined) tables.push({ text: withCapital(header), items: [] });
    const [, text, name] = /^\| \[([^\]]+)\]\(([\w-]+)\.md\)/.exec(line) ?? [];
    if (text !== undefined) tables.at(-1)?.items.push({ text, link: `/${name}` });
  }
  return tables;
};

export const readSidebar = (): SidebarGroup[] => {
  const guides = readGuides();
  const sdk = guides.find(({ name }: Guide) => name === "sdk");
  return [
    { text: "Guides", items: [{ text: "All guides", link: "/" }] },
    ...READERS.flatMap((reader): SidebarGroup[] => {
      const index = guides.find(({ name }) => name === reader);
      if (!index) return [];
      const tables = tablesOf(index.text);
      return [
        {
          text: index.title,
          items: [{ text: "Overview", link: `/${reader}` }, ...(tables.length > 1 ? tables : (tables[0]?.items ?? []))],
        },
      ];
    }),
    ...(sdk ? [{ text: "SDK", items: [{ text: sdk.title, link: "/sdk" }] }] : []),
    { text: "Reference", items: REFERENCE_PAGES.map(({ name, title }) => ({ text: title, link: `/reference/${name}` })) },
  ];
};
