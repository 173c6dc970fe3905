export const enAccess = {
  access: {
    lostTitle: "You no longer have access to this venue",
    lostLead: "You are not in its team any more. If that is a mistake, ask to be invited again.",
    lostAction: "To your venues",
    endedTitle: "Sign in again to open this venue",
    endedLead: "An owner ended your sessions in {{venue}}, as one does when a device is lost. Your other venues stay open.",
    endedAction: "Sign in again",
    factorTitle: "Set up a second factor",
    factorLead: "{{venue}} asks its owners and managers for it. You need an authenticator app on your phone. It takes a minute.",
    factorAfter: "Then you are back in the venue.",
    featureTitle: "Not in your plan",
    featureLead: "The plan of {{venue}} does not include {{feature}}. An owner can change the plan.",
    features: { reservations: "bookings", reporting: "reports" },
    featureAction: "Go to the orders",
  },
};
