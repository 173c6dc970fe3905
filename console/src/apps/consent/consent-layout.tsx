import type { ReactNode } from "react";
import { SignedOutSheet } from "#shell/signed-out-layout.tsx";

/** A layout without the venue's menu, so that no link leads away from the request. */
export const ConsentLayout = ({ children }: { children: ReactNode }) => (
  <SignedOutSheet className="consent-sheet">{children}</SignedOutSheet>
);
