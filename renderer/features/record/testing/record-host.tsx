/** For tests alone: records in tabs before a test's server, one in front, as the frame mounts them. */
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { page, userEvent } from 'vitest/browser';
import { disposeModel } from '../../../platform/monaco-loader.ts';
import type { ReadingSlot } from '../../../platform/reading-slot.ts';
import { send } from '../../../testing/show.tsx';
import { useStatus } from '../../../ui/status-store.ts';
import { text } from '../../../ui/text.ts';
import { RecordPanel } from '../record-panel.tsx';
import {
  isUnsaved,
  openRecord,
  recordReducer,
  titleOf,
  type RecordAction,
  type RecordState,
} from '../record-state.ts';
import { useRecordIo } from '../use-record-io.ts';

const none = (): void => undefined;

/** Where a record's text lives. */
export const modelPathOf = (id: string): string => `chartkeeper:/CarePlan/${id}/test.json`;

function reduce(states: readonly RecordState[], { id, action }: { id: string; action: RecordAction }) {
  return states.map((one) => (one.id === id ? recordReducer(one, action) : one));
}

interface RecordHostProps {
  readonly reading?: ReadingSlot;
  readonly ids: readonly string[];
  /** Called once another record is in front, before its text is in the editor. */
  readonly onTurn?: (id: string) => void;
}

export function RecordHost({ ids, reading, onTurn = none }: RecordHostProps) {
  const io = useRecordIo();
  const { message } = useStatus();
  const [front, setFront] = useState(ids[0] ?? '');
  const [states, dispatch] = useReducer(reduce, ids, (all) => all.map((id) => openRecord('CarePlan', id)));
  const targets = states.map((state) => ({
    state,
    modelPath: modelPathOf(state.id),
    dispatch: (action: RecordAction) => dispatch({ id: state.id, action }),
  }));
  const target = targets.find(({ state }) => state.id === front);
  const asked = useRef(new Set<string>());
  useEffect(() => {
    if (!target || asked.current.has(front)) return;
    asked.current.add(front);
    void io.read(target);
  }, [io, front, target]);
  useEffect(() => () => ids.map(modelPathOf).forEach(disposeModel), [ids]);
  if (!target) return null;
  return (
    <>
      <div role="tablist">
        {states.map((state) => (
          <button
            key={state.id}
            role="tab"
            aria-selected={state.id === front}
            onClick={() => setFront(state.id)}
          >
            {titleOf(state)}
            {isUnsaved(state) && ' unsaved'}
          </button>
        ))}
      </div>
      <div style={{ height: 640, display: 'grid' }}>
        <RecordPanel
          {...{ target, io }}
          front
          onPatch={none}
          onReload={() => void io.read(target)}
          onDiscard={() => io.discard(target)}
          onHistory={none}
          onCompare={none}
          {...(reading && { reading })}
        />
      </div>
      <Turn key={front} onTurn={() => onTurn(front)} />
      <output>{message}</output>
    </>
  );
}

/** Last in the tree: what stands before it has heard of the turn. */
function Turn({ onTurn }: { readonly onTurn: () => void }) {
  useLayoutEffect(() => {
    onTurn();
  });
  return null;
}

/** A plan with digits that a number of JavaScript would lose. */
export function plan(title: string): string {
  return `{"resourceType":"CarePlan","title":"${title}","status":"active","intent":"plan","subject":{"reference":"Patient/a"},"description":"Agreed","activity":[{"detail":{"status":"scheduled","quantity":{"value":1.00},"dailyAmount":{"value":12345678901234567890.10}}}]}`;
}

/** Stores a plan; its id. */
export async function storePlan(title: string): Promise<string> {
  const { id } = (await (await send('POST', '/fhir-r4/v1/CarePlan', plan(title))).json()) as { id: string };
  return id;
}

/** The plan's text as the server holds it. */
export async function storedPlan(id: string): Promise<string> {
  return (await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).text();
}

/** Replaces elements past the page in one version, as another client would. */
export async function changeStored(id: string, values: Readonly<Record<string, string>>): Promise<void> {
  const operations = Object.entries(values).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  await send('PATCH', `/fhir-r4/v1/CarePlan/${id}`, JSON.stringify(operations));
}

/** What is on the page, by the names that a person reads. */
export const record = {
  editor: page.getByRole('region', { name: text.record.region }),
  review: page.getByRole('button', { name: text.record.review }),
  sheet: page.getByRole('dialog', { name: text.review.title }),
  conflict: page.getByRole('dialog', { name: text.conflict.title }),
  status: page.getByRole('status').filter({ hasText: /./ }),
  tab: (title: string) => page.getByRole('tab', { name: title, exact: false }),
};

/** Writes a word over another one in the editor, as a person does: a double click, then keys. */
export async function overwrite(word: string, keys: string): Promise<void> {
  await record.editor.getByText(`"${word}"`).dblClick();
  await userEvent.keyboard(keys);
}
