/** Who opens the venue: a signed-in person, or the holder of a link. Null: the address is not confirmed yet. */
export type Opener = { email: string; secret: string | null; hasSession: boolean };
