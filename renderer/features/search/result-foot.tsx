import { Button, Progress } from '@mantine/core';
import { IconLayoutSidebarRight, IconReplace } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { clockTime } from '../../ui/time.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { bulkSourceOf, describeTotal } from './describe.ts';
import { ExportMenu, ExportProgress, type ExportMenuProps } from './export-menu.tsx';
import { referenceForms } from './reference-forms.ts';
import styles from './search.module.css';
import frame from '../../ui/view.module.css';
import type { Search } from './use-search.ts';

interface ResultFootProps extends ExportMenuProps {
  /** Label of the column that sorts only the loaded rows. */
  readonly partial: string | undefined;
  /** IDs of the columns that fit into the grid. */
  readonly fitting: readonly string[];
  /** Undefined if there is no preview. */
  readonly preview: { readonly shown: boolean; readonly toggle: () => void } | undefined;
}

/** Footer of the grid: counts, loading more matches, columns and export. */
export function ResultFooter({ preview, partial, ...props }: ResultFootProps) {
  const { search, submittedCriteria: criteria, selectedKeys, columns, exporting } = props;
  const { query, rows, total, atLeast, duplicateCount } = search;
  const actions = useWorkbenchActions();
  const forms = useMemo(() => referenceForms(criteria, rows), [criteria, rows]);
  const summary = describeTotal(criteria, total);
  return (
    <div className={`${frame.foot} ${styles.foot}`}>
      {query.isError && <Problem query={query} />}
      <span className={styles.total} title={query.isPlaceholderData ? undefined : summary}>
        {query.isPlaceholderData ? text.results.searching : atLeast ? text.results.noTotal(summary) : summary}
      </span>
      {query.hasNextPage && !query.isPlaceholderData && <LoadMore search={search} />}
      {duplicateCount > 0 && !query.isPlaceholderData && <span>{text.results.repeated(duplicateCount)}</span>}
      {forms !== '' && !query.isPlaceholderData && <span>{forms}</span>}
      {partial !== undefined && <span>{text.results.sortedHere(partial, rows.length, total)}</span>}
      {search.outdated && (
        <>
          <span>{text.results.outdated}</span>
          <Button onClick={() => search.submit(criteria)}>{text.results.again}</Button>
        </>
      )}
      <ExportProgress exporting={exporting} />
      <span className={frame.keys}>
        {selectedKeys.size > 0 ? (
          text.results.selected(selectedKeys.size)
        ) : (
          <span className={styles.keysHint}>{text.results.keys}</span>
        )}
      </span>
      <Button
        leftSection={<IconReplace size={14} aria-hidden />}
        aria-label={text.bulk.inResults}
        title={text.bulk.inResults}
        onClick={() => actions.replaceInAll(bulkSourceOf(criteria, total))}
      >
        {text.results.replace}
      </Button>
      <ExportMenu {...props} />
      <ColumnsMenu {...columns} fitting={props.fitting} />
      {preview && (
        <Button
          aria-pressed={preview.shown}
          title={text.preview.toggle}
          leftSection={<IconLayoutSidebarRight size={14} aria-hidden />}
          onClick={preview.toggle}
        >
          {text.preview.toggle}
        </Button>
      )}
    </div>
  );
}

/** Explains why no more matches could be loaded, or how old the matches are. */
function Problem({ query }: Pick<Search, 'query'>) {
  const nextFailed = query.isFetchNextPageError;
  const readTime = clockTime(new Date(query.dataUpdatedAt).toISOString());
  const message = nextFailed ? text.results.moreFailed : text.results.notRepeated(readTime);
  return (
    <span className={styles.footProblem} role="alert">
      {[message, ...toFailure(query.error).sentences].join(' ')}
      <Button onClick={() => void (nextFailed ? query.fetchNextPage() : query.refetch())}>
        {text.failure.retry}
      </Button>
    </span>
  );
}

function LoadMore({ search }: { readonly search: Search }) {
  const { query, rows, total, atLeast, loadingAll, loadAll, stop } = search;
  const announce = useAnnounce();
  return (
    <>
      {!atLeast && <span>{text.results.loaded(rows.length, total)}</span>}
      {loadingAll ? (
        <>
          <Progress
            className={styles.progress}
            value={total === 0 ? 0 : (rows.length / total) * 100}
            aria-label={text.results.progress}
          />
          <Button
            onClick={() => {
              stop();
              announce(text.results.stopped(rows.length, total));
            }}
          >
            {text.results.stop}
          </Button>
        </>
      ) : (
        <>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {text.results.more}
          </Button>
          <Button onClick={loadAll}>{text.results.all}</Button>
        </>
      )}
    </>
  );
}
