import { Button, Code } from '@mantine/core';
import { IconDatabaseImport, IconFileImport, IconPlugConnected } from '@tabler/icons-react';
import { useLacks } from '../../platform/app-queries.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { desktop } from '../../platform/desktop.ts';
import { useOpenPractice } from '../../platform/practice-store.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';

/** First steps in an empty store: demo clinic, files, or a server. */
export function FirstStart() {
  const announce = useAnnounce();
  const { openView } = useWorkbenchActions();
  const runCommand = useRunCommand();
  const isDemoUnavailable = useLacks('training');
  const demo = useOpenPractice(({ stored: storedCount }) => announce(text.start.demoLoaded(storedCount)));
  return (
    <div className={styles.start}>
      <h1>{text.app.name}</h1>
      <p className={styles.lead}>{text.start.what}</p>
      {!isDemoUnavailable && (
        <div className={styles.choice}>
          <h2>{text.start.demoHeading}</h2>
          <p>{text.start.demoHint}</p>
          <Button
            variant="filled"
            loading={demo.isPending}
            leftSection={<IconDatabaseImport size={16} aria-hidden />}
            onClick={() => demo.mutate()}
          >
            {text.start.loadDemo}
          </Button>
        </div>
      )}
      <div className={styles.choice}>
        <h2>{text.start.importHeading}</h2>
        <p>{desktop ? text.start.importHintDesktop : text.start.importHint}</p>
        <Button leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => openView('data')}>
          {text.start.import}
        </Button>
        {/* Users of the installed app have no npm. */}
        {!desktop && <Code block>{text.start.importCommand}</Code>}
      </div>
      <div className={styles.choice}>
        <h2>{text.start.connectHeading}</h2>
        <p>{text.start.connectHint}</p>
        <Button
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          onClick={() => runCommand('connection.add')}
        >
          {text.start.connect}
        </Button>
      </div>
      <RequestFailure title={text.start.demoFailed} query={demo} />
    </div>
  );
}
