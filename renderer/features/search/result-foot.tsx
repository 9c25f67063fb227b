import { Button, Progress, Menu } from '@mantine/core';
import { IconLayoutSidebarRight, IconReplace, IconColumns3 } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { clockTime } from '../../ui/time.ts';
import { bulkSourceOf, describeTotal } from './describe.ts';
import { ExportMenu, ExportProgress, type ExportMenuProps } from './export-menu.tsx';
import styles from './search.module.css';
import frame from '../../ui/view.module.css';
import type { Search } from './use-search.ts';
import type { Columns } from './use-columns.ts';
import { parseReference } from '../../../core/fhir/reference.ts';
import { queryOf, type Criteria } from './criteria.ts';
import type { ResultRow } from './result-rows.ts';

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

interface ColumnsMenuProps extends Columns {
  /** IDs of the columns that fit into the grid. */
  readonly fitting: readonly string[];
}

/** Selects the columns of the results. */
function ColumnsMenu({ allColumns, layout, show, reset, fitting }: ColumnsMenuProps) {
  return (
    <Menu position="top-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button title={text.results.chooseColumns} leftSection={<IconColumns3 size={14} aria-hidden />}>
          {text.results.chooseColumns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={text.results.chooseColumns} className={styles.columnMenu ?? ''}>
        {allColumns.map(({ id, label }) => (
          <Menu.CheckboxItem
            key={id}
            checked={layout.shown.includes(id)}
            disabled={layout.shown.length === 1 && layout.shown.includes(id)}
            onChange={(checked) => show(id, checked)}
          >
            {label}
            {layout.shown.includes(id) && !fitting.includes(id) && (
              <small className={styles.noRoom}>{text.results.noRoom}</small>
            )}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={reset}>{text.results.resetColumns}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Describes the reference forms of the searched IDs in the rows, most frequent first; empty without searched IDs. */
function referenceForms(criteria: Criteria, rows: readonly ResultRow[]): string {
  const searchedIds = new Map(queryOf(criteria).pairs);
  const forms = [...formsOf(rows, 'subject', searchedIds), ...formsOf(rows, 'encounter', searchedIds)];
  if (forms.length === 0) return '';
  return text.results.forms(forms.map(([form, count]) => text.results.form(form, count)));
}

function formsOf(
  rows: readonly ResultRow[],
  field: 'subject' | 'encounter',
  searchedIds: ReadonlyMap<string, string>,
): readonly (readonly [form: string, count: number])[] {
  const ids = new Set(searchedIds.get(field)?.split(',') ?? []);
  const counts = new Map<string, number>();
  if (ids.size === 0) return [];
  for (const { [field]: literal } of rows) {
    const id = parseReference(literal)?.id ?? '';
    if (!ids.has(id)) continue;
    const form = literal.replace(id, '…');
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}
