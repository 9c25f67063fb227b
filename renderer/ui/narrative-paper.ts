import { tokens } from './tokens.ts';

/** What brings a colour of its own, as FHIR's narratives may (narrative.html): by a style, or by XHTML's attribute. */
const coloured = "body :is([style*='background' i], [style*='color' i], [bgcolor])";

/**
 * The rules of a style sheet that have such elements stand on paper in the dark, too: who chose a colour saw it on white,
 * and its other half, the text or the ground, is the page's.
 */
export function narrativePaper(scheme: 'light' | 'dark'): string {
  const { content, text, accentText } = tokens.light;
  return scheme === 'light'
    ? ''
    : `${coloured} { color-scheme: light; background-color: ${content}; color: ${text}; }
${coloured} :is(th, thead td, caption) { color: inherit; }
${coloured} a { color: ${accentText}; }`;
}
