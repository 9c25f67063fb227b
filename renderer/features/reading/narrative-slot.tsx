import { useLayoutEffect, useMemo, useRef } from 'react';
import type { Narrative } from '../../../core/fhir/reading/narrative.ts';
import { readNarrative } from '../../platform/safe-markup.ts';
import { NarrativeNotice } from '../../ui/narrative-notice.tsx';
import { useReadingContext } from './reading-context.ts';
import styles from './reading.module.css';

/** Empty element whose size the narrative sets. The frame beneath shows the narrative there. */
export function LazyNarrative({ narrative, name }: { readonly narrative: Narrative; readonly name: string }) {
  const { sheet, onShowJson } = useReadingContext();
  const slot = useRef<HTMLDivElement>(null);
  const { xhtml, pointer } = narrative;
  const safe = useMemo(() => readNarrative(xhtml), [xhtml]);
  useLayoutEffect(
    () => (slot.current && sheet ? sheet.show(slot.current, safe, pointer, name) : undefined),
    [sheet, safe, pointer, name],
  );
  return (
    <>
      {safe.flaw && <NarrativeNotice flaw={safe.flaw} onShow={() => onShowJson(`${pointer}/div`)} />}
      <div ref={slot} className={styles.slot} data-pointer={pointer} data-narrative-slot />
    </>
  );
}
