/** Signing in from a new device, recovery codes, devices, the password once more. */
export const enAccount = {
  signInLink: {
    offer: "You can sign in on this device without the password: we send a link to your e-mail address.",
    send: "Send me a sign-in link",
    sentTitle: "Check your e-mail",
    sent: "If {{email}} has an account here, a sign-in link is on its way. It works for 15 minutes, once.",
    title: "Sign in to Comanda",
    lead: "You are signing in as {{email}}. This device will be known from now on.",
    submit: "Sign in",
  },
  recovery: {
    title: "Recovery codes",
    code: "Recovery code",
    use: "No phone at hand? Use a recovery code",
    useApp: "Use the code of the app",
    wrong: "That code is not right, or it was used before.",
    left_one: "{{count}} recovery code left",
    left_other: "{{count}} recovery codes left",
    few: "Make new codes before they run out. Without phone and codes you cannot sign in.",
    renew: "Make new codes",
    renewTitle: "Make new recovery codes?",
    renewLead: "The old ones stop working. Your password and one code, please.",
    shownTitle: "Your recovery codes",
    shownLead:
      "Each code signs you in once when you do not have your phone. Keep them where you find them without it. They are shown only now.",
    guard: "Without these codes, a lost phone locks you out.",
    list: "Recovery codes",
    print: "Print",
    done: "I have kept them",
  },
  device: {
    named: "{{browser}} on {{system}}",
    signOut: "Sign out",
    signOutNamed: "Sign out {{device}}",
    signedOut: "{{device}} is signed out.",
  },
  passwordAgain: {
    title: "Your password, please",
    lead: "This gives somebody else access. So we ask for your password again.",
    submit: "Continue",
  },
};
