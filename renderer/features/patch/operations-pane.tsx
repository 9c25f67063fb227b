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
  readonly composed: ComposedPatch;
  readonly paths: readonly string[];
  readonly placed: PlacedIssues;
  readonly dispatch: (action: PatchAction) => void;
}

/** The operations, as rows or as the JSON array that is sent. */
export function OperationsPane(props: OperationsPaneProps) {
  const { composed, dispatch } = props;
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
            error={json.refusal === undefined ? undefined : text.patch.jsonRefused(json.refusal)}
            onChange={({ currentTarget }) => dispatch({ type: 'jsonEdited', text: currentTarget.value })}
          />
          <ul className={styles.rowProblems} aria-live="polite">
            {composed.problems.map((problem) => (
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

function Rows({ state, type, composed, paths, placed, dispatch }: OperationsPaneProps) {
  const { rows, picks, active } = state;
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (picks === 0) return;
    // The element is chosen: what is missing is its value.
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
        const view = composed.rows[index];
        return (
          view && (
            <OperationRow
              key={row.key}
              row={row}
              view={view}
              index={index}
              type={type}
              known={state.base !== undefined}
              paths={paths}
              issues={placed.byRow.get(row.key) ?? []}
              removable={rows.length > 1}
              onChange={(changed) => dispatch({ type: 'changed', row: changed })}
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
