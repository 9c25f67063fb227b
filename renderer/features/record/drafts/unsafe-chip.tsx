import { IconAlertTriangle } from '@tabler/icons-react';
import { text } from '../../../ui/text.ts';
import styles from './drafts.module.css';
import { useDraftState } from './drafts-context.ts';

/** Beside the title: what is typed now is kept nowhere, because the server does not answer. */
export function UnsafeChip({ modelPath }: { readonly modelPath: string }) {
  if (useDraftState(modelPath)?.kind !== 'failed') return null;
  return (
    <strong className={styles.unsafe} role="alert" title={text.drafts.unsafeHint}>
      <IconAlertTriangle size={14} aria-hidden />
      {text.drafts.unsafe}
    </strong>
  );
}
