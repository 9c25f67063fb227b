import { Button } from '@mantine/core';
import type { ValidationLevel } from '../../../core/fhir/validation/levels.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';
import styles from './settings.module.css';

const words = text.settings;

/** What the local server does by itself, and where more of it stands. */
export function ServerPart({ level }: { readonly level: ValidationLevel | undefined }) {
  const { openView } = useWorkbenchActions();
  return (
    <dl className={styles.facts}>
      <dt>{words.level}</dt>
      <dd>
        <span>{level && words.levels[level]}</span>
        <p className={styles.detail}>{words.levelDetail}</p>
      </dd>
      <dt>{words.judging}</dt>
      <dd className={styles.led}>
        {words.judgingDetail}
        <Button size="compact-xs" onClick={() => openView('quality')}>
          {words.openQuality}
        </Button>
      </dd>
      <dt>{words.backups}</dt>
      <dd className={styles.led}>
        {words.backupsDetail}
        <Button size="compact-xs" onClick={() => openView('backups')}>
          {words.openBackups}
        </Button>
      </dd>
    </dl>
  );
}
