import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/fraunces/wght.css";
import "@fontsource-variable/vazirmatn/wght.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "#compose/styles.ts";
import { DirectionProvider, localStorageColorSchemeManager, MantineProvider, useDirection } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import { ConfirmPassword } from "#account/confirm-password.tsx";
import { queryClient, router } from "#compose/router.tsx";
import { en } from "#compose/texts.en.ts";
import { startLanguage } from "#kit/language.ts";
import { theme, variables } from "#kit/theme.ts";
import { OfflineNote } from "#shell/offline.tsx";

/** Passes the text direction of a new language to Mantine. */
const DirectionSync = () => {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const direction = i18n.dir();
  useEffect(() => setDirection(direction), [direction, setDirection]);
  return null;
};

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
setNonce(nonce);

await startLanguage({ english: en, loadArabic: async () => (await import("#compose/texts.ar.ts")).ar });

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <DirectionProvider initialDirection={document.documentElement.dir === "rtl" ? "rtl" : "ltr"} detectDirection={false}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={variables}
          defaultColorScheme="auto"
          colorSchemeManager={localStorageColorSchemeManager({ key: "comanda.colours" })}
          getStyleNonce={() => nonce}
        >
          <DirectionSync />
          <OfflineNote />
          <Notifications position="bottom-center" autoClose={5000} />
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
            <ConfirmPassword />
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  );
