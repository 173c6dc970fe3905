/** Texts of invitations to a team, and of the venues of a person. */
export const enMemberships = {
  invitations: {
    title: "Invitations",
    lead: "You decide. Until you accept, the venue sees only the e-mail address that it typed.",
    by: "{{name}} invites you. Open until {{at}}.",
    until: "Open until {{at}}.",
    accept: "Accept",
    acceptOf: "Accept the invitation of {{venue}}",
    accepted: "You now belong to the team of {{venue}}.",
    decline: "Decline",
    declineOf: "Decline the invitation of {{venue}}",
    declined: "The invitation of {{venue}} was declined.",
    over: "The invitation of {{venue}} is no longer open: it was withdrawn, was answered or has expired. Ask to be invited again.",
    roleChanged: "The role that {{venue}} offers has changed. Look at it and decide again.",
  },
  ownVenues: {
    another: "Open another restaurant",
    title: "Your venues",
    lead: "Where you belong to the team. Owners there see your name, your e-mail address and the browsers that you use in their venue.",
    open: "Open",
    openOf: "Open {{venue}}",
    leave: "Leave",
    leaveOf: "Leave {{venue}}",
    leaveTitle: "Leave {{venue}}?",
    leaveLead:
      "You cannot open this venue any more, until you are invited again. What you set up stays with it; your shifts to come are removed.",
    left: "You left {{venue}}.",
    lastOwner: "You are the last owner. Make another person an owner on the page Team, and wait until they have accepted.",
  },
};
