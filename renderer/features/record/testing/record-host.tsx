/** Test helper: records in tabs with the test server; one tab is active, as in the workbench. */
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
import { useRecordRequests } from '../use-record-requests.ts';

const ignore = (): void => undefined;

/** Returns the model path of a record. */
export const modelPathOf = (id: string): string => `chartkeeper:/CarePlan/${id}/test.json`;

function reduce(states: readonly RecordState[], { id, action }: { id: string; action: RecordAction }) {
  return states.map((state) => (state.id === id ? recordReducer(state, action) : state));
}

interface RecordHostProps {
  readonly reading?: ReadingSlot;
  readonly ids: readonly string[];
  /** Called after a tab switch, before the text is in the editor. */
  readonly onTurn?: (id: string) => void;
}

export function RecordHost({ ids, reading, onTurn = ignore }: RecordHostProps) {
  const requests = useRecordRequests();
  const { message } = useStatus();
  const [activeId, setActiveId] = useState(ids[0] ?? '');
  const [states, dispatch] = useReducer(reduce, ids, (initialIds) =>
    initialIds.map((id) => openRecord('CarePlan', id)),
  );
  const targets = states.map((state) => ({
    state,
    modelPath: modelPathOf(state.id),
    dispatch: (action: RecordAction) => dispatch({ id: state.id, action }),
  }));
  const target = targets.find(({ state }) => state.id === activeId);
  const requestedIds = useRef(new Set<string>());
  useEffect(() => {
    if (!target || requestedIds.current.has(activeId)) return;
    requestedIds.current.add(activeId);
    void requests.loadRecord(target);
  }, [requests, activeId, target]);
  useEffect(() => () => ids.map(modelPathOf).forEach(disposeModel), [ids]);
  if (!target) return null;
  return (
    <>
      <div role="tablist">
        {states.map((state) => (
          <button
            key={state.id}
            role="tab"
            aria-selected={state.id === activeId}
            onClick={() => setActiveId(state.id)}
          >
            {titleOf(state)}
            {isUnsaved(state) && ' unsaved'}
          </button>
        ))}
      </div>
      <div style={{ height: 640, display: 'grid' }}>
        <RecordPanel
          target={target}
          requests={requests}
          isActive
          onPatch={ignore}
          onReload={() => void requests.loadRecord(target)}
          onDiscard={() => requests.discardChanges(target)}
          onHistory={ignore}
          onCompare={ignore}
          {...(reading && { renderReading: reading })}
        />
      </div>
      <TurnObserver key={activeId} onTurn={() => onTurn(activeId)} />
      <output>{message}</output>
    </>
  );
}

/** Last in the tree, so that all components before it have rendered the new tab. */
function TurnObserver({ onTurn }: { readonly onTurn: () => void }) {
  useLayoutEffect(() => {
    onTurn();
  });
  return null;
}

/** Returns a plan with decimals that a JavaScript number would change. */
export function plan(title: string): string {
  return `{"resourceType":"CarePlan","title":"${title}","status":"active","intent":"plan","subject":{"reference":"Patient/a"},"description":"Agreed","activity":[{"detail":{"status":"scheduled","quantity":{"value":1.00},"dailyAmount":{"value":12345678901234567890.10}}}]}`;
}

/** Stores a plan and returns its id. */
export async function storePlan(title: string): Promise<string> {
  const { id } = (await (await send('POST', '/fhir-r4/v1/CarePlan', plan(title))).json()) as { id: string };
  return id;
}

/** Returns the stored text of the plan. */
export async function storedPlan(id: string): Promise<string> {
  return (await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).text();
}

/** Replaces elements in one version, like another client. */
export async function patchAsOtherClient(
  id: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const operations = Object.entries(values).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  await send('PATCH', `/fhir-r4/v1/CarePlan/${id}`, JSON.stringify(operations));
}

/** Locators by the names that a user sees. */
export const record = {
  editor: page.getByRole('region', { name: text.record.region }),
  review: page.getByRole('button', { name: text.record.review }),
  sheet: page.getByRole('dialog', { name: text.review.title }),
  conflict: page.getByRole('dialog', { name: text.conflict.title }),
  status: page.getByRole('status').filter({ hasText: /./ }),
  tab: (title: string) => page.getByRole('tab', { name: title, exact: false }),
};

/** Overwrites a word in the editor: a double click, then keys. */
export async function overwrite(word: string, keys: string): Promise<void> {
  await record.editor.getByText(`"${word}"`).dblClick();
  await userEvent.keyboard(keys);
}
