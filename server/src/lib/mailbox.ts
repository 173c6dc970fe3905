import { domainToASCII } from "node:url";

/** They read a letter with dots or without. */
const WITHOUT_DOTS = new Set(["gmail.com", "googlemail.com"]);

/**
 * What gets a mail: `ada+any@example.com` is `ada@example.com`, and so is one whose domain has wide or invisible letters, because the domain
 * is looked up in ASCII.
 */
export const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  const found = domainToASCII(domain) || domain;
  const [local = ""] = email.slice(0, at).toLowerCase().split("+", 1);
  return WITHOUT_DOTS.has(found) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${found}`;
};
