import { tokens } from './tokens.ts';

/**
 * Elements of a narrative with a color of their own (FHIR narrative.html): by a style, or by XHTML's
 * attribute.
 */
const coloredElements = "body :is([style*='background' i], [style*='color' i], [bgcolor])";

/**
 * Returns style rules that show such elements on a light background in dark mode. The author saw the color on
 * white, and the page provides the other color, text or background.
 */
export function buildNarrativeStyles(scheme: 'light' | 'dark'): string {
  const { content, text, accentText } = tokens.light;
  return scheme === 'light'
    ? ''
    : `${coloredElements} { color-scheme: light; background-color: ${content}; color: ${text}; }
${coloredElements} :is(th, thead td, caption) { color: inherit; }
${coloredElements} a { color: ${accentText}; }`;
}
