/** Mail to `ada+any@example.com` arrives at `ada@example.com`. */
export const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*(?=@)/, "");
