/** The site's pages in their order: the tables of the guides' index, then the pages made from the contract. */
import { type Guide, INDEX, readGuides } from "../../server/src/http/docs/guide-files.ts";
import { REFERENCE_PAGES } from "./reference-pages.ts";

type SidebarGroup = { text: string; collapsed?: boolean; items: { text: string; link: string }[] };

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Each table of the index is a group: its header is the name, its first column the guides. */
const groupsOf = (index: string): SidebarGroup[] => {
  const groups: SidebarGroup[] = [];
  for (const line of index.split("\n")) {
    const header = /^\| ([a-z][a-z ,']+?) +\| what you find there +\|$/.exec(line)?.[1];
    if (header !== undefined) groups.push({ text: withCapital(header), items: [] });
    const [, text, name] = /^\| \[([^\]]+)\]\(([\w-]+)\.md\)/.exec(line) ?? [];
    if (text !== undefined) groups.at(-1)?.items.push({ text, link: `/${name}` });
  }
  return groups;
};

export const readSidebar = (): SidebarGroup[] => {
  const guides = readGuides();
  const index = guides.find(({ name }) => name === INDEX)?.text ?? "";
  const sdk = guides.find(({ name }: Guide) => name === "sdk");
  return [
    { text: "Guides", items: [{ text: "All guides", link: "/" }] },
    ...groupsOf(index),
    ...(sdk ? [{ text: "SDK", items: [{ text: sdk.title, link: "/sdk" }] }] : []),
    { text: "Reference", items: REFERENCE_PAGES.map(({ name, title }) => ({ text: title, link: `/reference/${name}` })) },
  ];
};
