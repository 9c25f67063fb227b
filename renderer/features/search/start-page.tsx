import { Button, Code } from '@mantine/core';
import { IconDatabaseImport } from '@tabler/icons-react';
import type { Overview } from '../../../core/app/models.ts';
import { useLoadDemo } from '../../platform/app-queries.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { QuickPicks } from './quick-picks.tsx';
import { ResultSkeleton } from './result-skeleton.tsx';
import styles from './search.module.css';
import type { Search } from './use-search.ts';

interface StartPageProps {
  readonly overview: Overview | undefined;
  readonly search: Search;
}

/** Before the first search: what this is and how to get records, or, where there are some, whom to begin with. */
export function StartPage({ overview, search }: StartPageProps) {
  if (!overview) return <ResultSkeleton />;
  const empty = Object.values(overview.counts).every((count) => count === 0);
  if (empty) return <FirstStart />;
  const { type } = search.state.form;
  return (
    <div className={styles.start}>
      <h2>{text.start.heading}</h2>
      <p>{text.start.hint}</p>
      <QuickPicks subjects={overview.subjects} type={type} onSearch={search.submit} />
      <div className={styles.buttons}>
        <Button onClick={() => search.submit({ type: 'Composition', patient: '', encounter: '' })}>
          {text.start.allCompositions}
        </Button>
      </div>
    </div>
  );
}

function FirstStart() {
  const announce = useAnnounce();
  const demo = useLoadDemo(({ stored }) => announce(text.start.demoLoaded(stored)));
  return (
    <div className={styles.start}>
      <h1>{text.app.name}</h1>
      <p className={styles.lead}>{text.start.what}</p>
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
      <div className={styles.choice}>
        <h2>{text.start.importHeading}</h2>
        <p>{text.start.importHint}</p>
        <Code block>{text.start.importCommand}</Code>
      </div>
      {demo.isError && <FailureMessage title={text.start.demoFailed} failure={toFailure(demo.error)} />}
    </div>
  );
}
