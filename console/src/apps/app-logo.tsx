/** Decorative, because the name is beside it. Without a logo it shows the first letter of the name. */
export const AppLogo = ({ app, size = 44 }: { app: { name: string; logo: string | null }; size?: 44 | 64 }) =>
  app.logo === null ? (
    <span className={`app-logo app-logo-${size} app-initial`} aria-hidden="true">
      {[...app.name.trim()][0]?.toUpperCase() ?? ""}
    </span>
  ) : (
    <img className={`app-logo app-logo-${size}`} src={app.logo} alt="" width={size} height={size} />
  );
