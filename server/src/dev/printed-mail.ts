/** `npm run dev` has no mail server: mails with a link for the reader are printed where the service runs. */
import type { MessageSender } from "#platform/messages/notifications/service.ts";

/** Other mails, such as confirmations of the simulated evening, are noted as failed, as without a mail server. */
const WITH_LINK = /^(sign-up|link)-/;

export const printedMail = (say: (text: string) => void): MessageSender => ({
  async send({ id, channel, recipient, subject, body }) {
    if (channel !== "email" || !WITH_LINK.test(String(id)))
      return { isSent: false, reason: "SMTP_URL is not set", failure: "not_set_up", isFinal: true };
    say(`\n  Mail to ${recipient}: ${subject ?? ""}\n\n${body.replaceAll(/^/gm, "  | ")}\n`);
    return { isSent: true };
  },
  close: () => undefined,
});
