import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/fraunces/wght.css";
import "@fontsource-variable/vazirmatn/wght.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./ui/styles.ts";
import { DirectionProvider, localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ConfirmPassword } from "./account/confirm-password.tsx";
import { queryClient, router } from "./router.tsx";
import { startLanguage } from "./texts/language.ts";
import { DirectionSync } from "./ui/direction-sync.tsx";
import { OfflineNote } from "./ui/offline.tsx";
import { theme, variables } from "./ui/theme.ts";

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
setNonce(nonce);

await startLanguage();

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
