import { LinkButton } from './link-button.tsx';
import { text } from './text.ts';
import styles from './ui.module.css';

interface NarrativeNoticeProps {
  readonly flaw: 'malformed' | 'cut';
  /** Goes to the narrative in the JSON. */
  readonly onShow: () => void;
}

/** Says that a reader may not see all of a narrative, and where it is whole. */
export function NarrativeNotice({ flaw, onShow }: NarrativeNoticeProps) {
  return (
    <p className={styles.narrativeNotice}>
      {text.narrative[flaw]} <LinkButton onClick={onShow}>{text.narrative.readJson}</LinkButton>
    </p>
  );
}
