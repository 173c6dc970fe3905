/** How long an invitation to a team is open. Its link works as long. */
const DAY_MS = 24 * 60 * 60 * 1000;

export const INVITATION_LIFE_MS = 7 * DAY_MS;

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + INVITATION_LIFE_MS);
