import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import type { PlacedIssues } from './patch-issues.ts';
import { OperationRow } from './patch-row.tsx';
import type { ComposedPatch } from './patch-rows.ts';
import type { PatchAction, PatchState } from './patch-state.ts';
import styles from './patch.module.css';

interface OperationsPaneProps {
  readonly state: PatchState;
  readonly type: ResourceType;
  readonly patch: ComposedPatch;
  readonly paths: readonly string[];
  readonly placedIssues: PlacedIssues;
  readonly dispatch: (action: PatchAction) => void;
}

/** The operations, as rows or as the JSON array of the request. */
export function OperationsPane(props: OperationsPaneProps) {
  const { patch, dispatch } = props;
  const { json } = props.state;
  return (
    <section className={styles.operations} aria-label={text.patch.operations}>
      <div className={styles.switch}>
        <SegmentedControl
          aria-label={text.patch.view}
          size="xs"
          value={json ? 'json' : 'rows'}
          onChange={(value) => dispatch({ type: value === 'json' ? 'showJson' : 'showRows' })}
          data={[
            { value: 'rows', label: text.patch.viewRows },
            { value: 'json', label: text.patch.viewJson },
          ]}
        />
      </div>
      {json ? (
        <div className={styles.json}>
          <Textarea
            aria-label={text.patch.body}
            classNames={{ input: 'mono' }}
            autosize
            minRows={8}
            maxRows={18}
            spellCheck={false}
            value={json.text}
            error={json.refusal}
            onChange={({ currentTarget }) => dispatch({ type: 'jsonEdited', text: currentTarget.value })}
          />
          <ul className={styles.rowProblems} aria-live="polite">
            {patch.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      ) : (
        <Rows {...props} />
      )}
    </section>
  );
}

function Rows({ state, type, patch, paths, placedIssues, dispatch }: OperationsPaneProps) {
  const { rows, picks, active } = state;
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (picks === 0) return;
    // The path is set, so only the value is missing.
    const field = list.current?.querySelector<HTMLElement>(
      `[data-key="${active}"] [data-value-field], [data-key="${active}"] [role=radiogroup] input`,
    );
    field?.focus();
    // Only a pick moves the focus, not each row that becomes active.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [picks]);

  return (
    <div ref={list} className={styles.rows}>
      <div className={styles.columns} aria-hidden>
        <span>{text.patch.pathColumn}</span>
        <span>{text.patch.currentColumn}</span>
        <span>{text.patch.valueColumn}</span>
      </div>
      {rows.map((row, index) => {
        const view = patch.rows[index];
        return (
          view && (
            <OperationRow
              key={row.key}
              row={row}
              view={view}
              index={index}
              type={type}
              isRecordKnown={state.base !== undefined}
              paths={paths}
              issues={placedIssues.byRow.get(row.key) ?? []}
              removable={rows.length > 1}
              onChange={(changedRow) => dispatch({ type: 'changed', row: changedRow })}
              onFocus={() => dispatch({ type: 'activated', key: row.key })}
              onRemove={() => dispatch({ type: 'removed', key: row.key })}
            />
          )
        );
      })}
      <Button
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => dispatch({ type: 'added' })}
      >
        {text.patch.add}
      </Button>
    </div>
  );
}
