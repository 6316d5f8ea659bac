import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const brand: MantineColorsTuple = [
  '#f0fdfa',
  '#ccfbf1',
  '#99f6e4',
  '#5eead4',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
];

/** Cooler greys than those of the library, which fit the brand's colour. */
const dark: MantineColorsTuple = [
  '#d3dade',
  '#b3bdc3',
  '#8f9aa1',
  '#5f6a71',
  '#3d474d',
  '#2b3439',
  '#1f272b',
  '#14191c',
  '#101416',
  '#0b0e10',
];

/** Sets the text on the brand's colour for both schemes, because the library decides it for the light one only. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isBrand = input.color === undefined || input.color === 'brand';
  return input.variant === 'filled' && isBrand ? { ...colors, color: 'var(--on-brand)' } : colors;
};

export const theme = createTheme({
  // The placeholder is an element that a menu may not have.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
  colors: { brand, dark },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  variantColorResolver: variantColors,
  defaultRadius: 'md',
  respectReducedMotion: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.15rem' }, h3: { fontSize: '1rem' } },
  },
  cursorType: 'pointer',
});

/** Replaces colours of the library whose contrast is below 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#52606b',
    '--mantine-color-placeholder': '#66717c',
    '--mantine-color-error': '#b91c1c',
    '--mantine-color-anchor': '#0f766e',
    '--mantine-color-green-light-color': '#166534',
    '--mantine-color-yellow-light-color': '#8a5300',
    '--mantine-color-orange-light-color': '#9a3412',
    '--mantine-color-body': '#ffffff',
    '--surface': '#f6f8f8',
    '--line': '#e2e7e8',
    '--on-brand': '#ffffff',
    '--tint': '#ccfbf1',
    '--tint-other': '#e0f2fe',
    '--land': '#dde4e6',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b4bb',
    '--mantine-color-placeholder': '#98a3ab',
    '--mantine-color-error': '#ff9a9a',
    '--mantine-color-anchor': '#5eead4',
    '--mantine-color-body': '#14191c',
    '--surface': '#0e1214',
    '--line': '#2a3236',
    '--on-brand': '#06231f',
    '--tint': '#123f3b',
    '--tint-other': '#172c3d',
    '--land': '#263036',
  },
});
