/** Colours and sizes of the console. Every text colour has a contrast of at least 4.5:1. */
import { type CSSVariablesResolver, createTheme, darken, type MantineColorsTuple, type MantineTheme } from "@mantine/core";

const wine: MantineColorsTuple = [
  "#fbf2f7",
  "#f5e3ed",
  "#e8c3d7",
  "#dca3c1",
  "#cf7fa8",
  "#b9588a",
  "#9f4273",
  "#84305c",
  "#6b244a",
  "#521a38",
];
/** Warm grey. */
const gray: MantineColorsTuple = [
  "#faf9f7",
  "#f4f2ee",
  "#eae6e0",
  "#dbd6ce",
  "#c2bbb0",
  "#a39b8f",
  "#82796e",
  "#625a50",
  "#453f38",
  "#2a2622",
];
const dark: MantineColorsTuple = [
  "#ece8e2",
  "#c9c3ba",
  "#aaa399",
  "#8a837a",
  "#5d5750",
  "#403c37",
  "#322f2b",
  "#211f1c",
  "#1a1816",
  "#12100f",
];

const BODY = `"Inter Variable", "Vazirmatn Variable", system-ui, -apple-system, "Segoe UI", sans-serif`;
const TITLE = `"Fraunces Variable", "Vazirmatn Variable", Georgia, serif`;
const CODE = `ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace`;

// A <header> in a dialog would be a second banner landmark.
const plainHeader = { attributes: { header: { role: "none" } } };

export const theme = createTheme({
  colors: { wine, gray, dark },
  primaryColor: "wine",
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: "pointer",
  defaultRadius: "md",
  fontFamily: BODY,
  fontFamilyMonospace: CODE,
  headings: {
    fontFamily: TITLE,
    fontWeight: "560",
    sizes: { h1: { fontSize: "1.75rem", lineHeight: "1.25" }, h2: { fontSize: "1.25rem" } },
  },
  focusRing: "auto",
  components: {
    Modal: {
      defaultProps: { ...plainHeader, centered: true, overlayProps: { backgroundOpacity: 0.45 }, transitionProps: { duration: 140 } },
    },
    Drawer: { defaultProps: { ...plainHeader, overlayProps: { backgroundOpacity: 0.45 }, transitionProps: { duration: 160 } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } } },
    // The focus placeholder is not a menu item, which axe reports; the first item takes the focus instead.
    Menu: { defaultProps: { shadow: "md", withInitialFocusPlaceholder: false } },
    Badge: { defaultProps: { variant: "light", radius: "sm", tt: "none", fw: 550 } },
    Paper: { defaultProps: { radius: "lg" } },
  },
});

const lightTexts = (colors: MantineTheme["colors"]): Record<string, string> =>
  Object.fromEntries(Object.entries(colors).map(([name, shades]) => [`--mantine-color-${name}-light-color`, darken(shades[9], 0.35)]));

/** Overrides Mantine colours with too little contrast. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": colors.gray[7],
    "--mantine-color-placeholder": colors.gray[7],
    "--mantine-color-error": colors.red[9],
    "--mantine-color-anchor": colors.wine?.[7] ?? "",
    "--mantine-color-text": colors.gray[9],
    ...lightTexts(colors),
    "--ground": colors.gray[0],
    "--sheet": "#ffffff",
    "--line": colors.gray[2],
    "--line-strong": colors.gray[3],
    "--bar": colors.gray[4],
    "--bar-error": colors.red[7],
    "--sandbox": "#e8590c",
    "--sandbox-ground": "#fff6ec",
    "--sandbox-text": "#8a3204",
    "--good": "#2b7a3d",
    "--brand": colors.wine?.[7] ?? "",
  },
  dark: {
    "--mantine-color-dimmed": colors.dark[2],
    "--mantine-color-placeholder": colors.dark[2],
    "--mantine-color-error": colors.red[4],
    "--mantine-color-anchor": colors.wine?.[3] ?? "",
    "--ground": colors.dark[8],
    "--sheet": colors.dark[7],
    "--line": colors.dark[6],
    "--line-strong": colors.dark[5],
    "--bar": colors.dark[4],
    "--bar-error": colors.red[5],
    "--sandbox": "#ff922b",
    "--sandbox-ground": "#2e2115",
    "--sandbox-text": "#ffc078",
    "--good": "#69db7c",
    "--brand": colors.wine?.[4] ?? "",
  },
});
