import { LinkButton } from './link-button.tsx';
import { text } from './text.ts';
import styles from './ui.module.css';

interface NarrativeNoticeProps {
  readonly flaw: 'malformed' | 'cut';
  /** Shows the narrative in the JSON. */
  readonly onShow: () => void;
}

/** States that the narrative may be incomplete and links to the JSON. */
export function NarrativeNotice({ flaw, onShow }: NarrativeNoticeProps) {
  return (
    <p className={styles.narrativeNotice}>
      {text.narrative[flaw]} <LinkButton onClick={onShow}>{text.narrative.readJson}</LinkButton>
    </p>
  );
}
