import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { safeMarkup } from '../../../platform/safe-markup.ts';
import { NarrativeNotice } from '../../../ui/narrative-notice.tsx';
import { buildNarrativeStyles } from '../../../ui/narrative-styles.ts';
import { text } from '../../../ui/text.ts';
import { tokens } from '../../../ui/tokens.ts';
import styles from './inspector.module.css';

/**
 * The narrative of the record (FHIR R4 narrative.html). Its markup is untrusted: only the elements that FHIR
 * allows remain, in a frame without scripts, forms and origin. The policy of the frame loads nothing.
 */
export function Narrative({ xhtml, onShow }: { readonly xhtml: string; readonly onShow: () => void }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const {
    markup,
    flaw,
    language = document.documentElement.lang,
  } = useMemo(() => safeMarkup(xhtml), [xhtml]);
  const page = useMemo(() => buildPage(markup, language, scheme), [markup, language, scheme]);
  return (
    <>
      {flaw && <NarrativeNotice flaw={flaw} onShow={onShow} />}
      <iframe className={styles.narrative} title={text.summary.narrative} sandbox="" srcDoc={page} />
    </>
  );
}

function buildPage(markup: string, language: string, scheme: 'light' | 'dark'): string {
  const { content, text: ink, border, accentText } = tokens[scheme];
  return `<!doctype html><html lang="${language}"><meta charset="utf-8">
<title>${text.summary.narrative}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
:root { color-scheme: ${scheme}; }
body { margin: 8px; background: ${content}; color: ${ink}; font: 12.5px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { padding: 2px 6px; border: 1px solid ${border}; text-align: left; vertical-align: top; }
a { color: ${accentText}; }
${buildNarrativeStyles(scheme)}
img { max-width: 100%; }
:focus-visible { outline: 2px solid ${accentText}; }
</style>${markup}`;
}
