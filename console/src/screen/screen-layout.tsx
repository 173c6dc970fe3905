/** The dark page of a device on a wall: one message and one big button. */
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useErrorText } from "#kit/error-text.ts";
import { BrandMark } from "#shell/brand.tsx";
import { ScreenPicture } from "./screen-picture.tsx";

export const ScreenLayout = ({ children }: { children: ReactNode }) => (
  <main className="screen">
    <div className="screen-brand">
      <BrandMark size={36} />
      <span className="wordmark">Comanda</span>
    </div>
    <div className="screen-middle">{children}</div>
  </main>
);

export const ScreenLoading = () => {
  const { t } = useTranslation();
  return (
    <ScreenLayout>
      <p className="screen-lead" role="status">
        {t("common.loading")}
      </p>
    </ScreenLayout>
  );
};

/** Takes the focus: the button that led here is gone. */
export const ScreenTitle = ({ children }: { children: ReactNode }) => {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <h1 ref={title} tabIndex={-1} className="screen-title">
      {children}
    </h1>
  );
};

type BigButtonProps = { isQuiet?: boolean; isPending?: boolean; onClick: () => void; children: ReactNode };

export const BigButton = ({ isQuiet = false, isPending = false, onClick, children }: BigButtonProps) => (
  <button
    type="button"
    className={isQuiet ? "screen-button screen-button-quiet" : "screen-button"}
    aria-busy={isPending}
    onClick={() => {
      if (!isPending) onClick();
    }}
  >
    {children}
  </button>
);

type ScreenMessageProps = {
  title: string;
  lead?: string;
  error: Error | null;
  action: string;
  isPending: boolean;
  onAction: () => void;
  hasPicture?: boolean;
};

export const ScreenMessage = ({ title, lead, error, action, isPending, onAction, hasPicture = false }: ScreenMessageProps) => {
  const describe = useErrorText();
  return (
    <>
      {hasPicture && <ScreenPicture />}
      <ScreenTitle>{title}</ScreenTitle>
      {lead && <p className="screen-lead">{lead}</p>}
      {error && (
        <p className="screen-error" role="alert">
          {describe(error)}
        </p>
      )}
      <BigButton isPending={isPending} onClick={onAction}>
        {action}
      </BigButton>
    </>
  );
};
