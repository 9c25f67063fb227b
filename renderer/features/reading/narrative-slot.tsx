import { useLayoutEffect, useRef } from 'react';
import type { Narrative } from '../../../core/fhir/reading/narrative.ts';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';

/** Room for a narrative, which the frame beneath shows there. */
export function NarrativeSlot({ narrative, name }: { readonly narrative: Narrative; readonly name: string }) {
  const { sheet } = useReadingParts();
  const slot = useRef<HTMLDivElement>(null);
  const { xhtml, pointer } = narrative;
  useLayoutEffect(
    () => (slot.current && sheet ? sheet.show(slot.current, xhtml, pointer, name) : undefined),
    [sheet, xhtml, pointer, name],
  );
  return <div ref={slot} className={styles.slot} data-pointer={pointer} data-narrative-slot />;
}
