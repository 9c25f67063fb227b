import * as fc from 'fast-check';
import { useLayoutEffect, useReducer, useState } from 'react';
import { flushSync } from 'react-dom';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { disposeModel, loadMonaco, modelAt } from '../../platform/monaco-loader.ts';
import { replaceText } from '../../platform/text-binding.ts';
import { show, startServer } from '../../testing/show.tsx';
import type { EditorHandle } from './json-editor.tsx';
import { RecordEditor } from './record-editor.tsx';
import { isUnsaved, openRecord, recordReducer, type RecordAction } from './record-state.ts';
import { onto, stale, version } from './testing/record-actions-sample.ts';
import { modelPathOf } from './testing/record-host.tsx';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

const ids = ['a', 'b'] as const;
type Id = (typeof ids)[number];
const paths = { a: modelPathOf('a'), b: modelPathOf('b') };
const ignore = (): void => undefined;

function useTabs() {
  const [a, dispatchToA] = useReducer(recordReducer, openRecord('CarePlan', 'a'));
  const [b, dispatchToB] = useReducer(recordReducer, openRecord('CarePlan', 'b'));
  const [active, activate] = useState<Id>('a');
  const [editor, setEditor] = useState<EditorHandle>();
  return {
    states: { a, b },
    dispatch: { a: dispatchToA, b: dispatchToB },
    active,
    activate,
    editor,
    setEditor,
  };
}

let tabs: ReturnType<typeof useTabs>;

/** Two records in one editor. */
function EditorSample() {
  const rendered = useTabs();
  useLayoutEffect(() => {
    tabs = rendered;
  });
  const { states, dispatch, active, editor, setEditor } = rendered;
  return (
    <div style={{ height: 400 }}>
      <RecordEditor
        target={{ state: states[active], modelPath: paths[active], dispatch: dispatch[active] }}
        layout={{ isShown: false, toggle: ignore }}
        editor={editor}
        tokens={[]}
        isHidden={false}
        onReady={setEditor}
      />
    </div>
  );
}

/** Shows both records and waits until the editor shows the active one. */
async function openTabs(): Promise<void> {
  await show(<EditorSample />);
  onTestFinished(() => ids.forEach((id) => disposeModel(paths[id])));
  for (const id of ids) tabs.dispatch[id]({ type: 'loaded', version: version(1) });
  await expect.poll(shownText).toBe(version(1).text);
  // The editor restores the cursor that an earlier test has left at this path.
  tabs.editor?.setPosition({ lineNumber: 1, column: 1 });
}

/** Returns the text in the editor; undefined while the editor shows another record. */
function shownText(): string | undefined {
  const model = modelAt(paths[tabs.active]);
  return model && tabs.editor?.getModel() === model ? model.getValue() : undefined;
}

const type = (keys: string) => tabs.editor?.trigger('test', 'type', { text: keys });
const undo = () => tabs.editor?.trigger('test', 'undo', null);
const redo = () => tabs.editor?.trigger('test', 'redo', null);
const dispatchToActive = (action: RecordAction) => tabs.dispatch[tabs.active](action);

/** Waits until the editor shows the text of the state. */
const expectSameText = () => expect.poll(() => shownText() === tabs.states[tabs.active].text).toBe(true);

const texts = [
  ...[2, 3].map((number) => version(number, `Title ${number}`).text),
  version(1).text.replaceAll('\n', '\r\n'),
  `\ufeff${version(1).text}`,
  '{\r"a": 1,\r\n"b": 2\n}',
  '',
  '{"half',
];
const anyText = fc.constantFrom(...texts);
const anyVersion = fc.constantFrom(...[1, 2, 3].map((number) => version(number, `Saved ${number}`)));
const anyAction: fc.Arbitrary<RecordAction> = fc.oneof(
  anyVersion.map((loadedVersion) => ({ type: 'loaded', version: loadedVersion }) as const),
  anyVersion.map((savedVersion) => ({ type: 'saved', version: savedVersion }) as const),
  anyText.map((text) => ({ type: 'edited', text }) as const),
  fc.tuple(anyText, anyVersion).map(([text, base]) => ({ type: 'restored', text, base }) as const),
  fc.tuple(anyText, anyVersion).map(([text, version]) => ({ ...onto, onto: version, text })),
  fc.constantFrom<RecordAction[]>(
    { type: 'review' },
    { type: 'sent' },
    { type: 'loading' },
    { type: 'refused', failure: stale },
    { type: 'unanswered' },
    { type: 'keepEditing' },
    { type: 'weighed' },
  ),
);
/** A step returns what the test awaits before the next step. */
type Step = () => unknown;
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  anyAction.map((action) => () => dispatchToActive(action)),
  fc.tuple(fc.constantFrom(...ids), anyAction).map(
    ([id, action]) =>
      () =>
        tabs.dispatch[id](action),
  ),
  fc.constantFrom('1', 'x', '"', '\n').map((keys) => () => type(keys)),
  anyText.map((text) => () => replaceText(paths[tabs.active], text)),
  fc.constantFrom<Step[]>(undo, redo),
  fc.constantFrom(...ids).map((id) => () => tabs.activate(id)),
  fc.constant(() => new Promise((resolve) => setTimeout(resolve))),
);

test('shows the text of the state after any sequence of actions, keys and tab switches', async () => {
  await openTabs();
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const step of steps) await step();
      for (const id of [...ids, ...ids]) {
        await expectSameText();
        tabs.activate(id);
        await expect.poll(() => tabs.active).toBe(id);
      }
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['line feeds', version(2, 'Draft').text],
  ['carriage returns and line feeds', version(2, 'Draft').text.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\ufeff${version(2, 'Draft').text}`],
  ['no line end', '{"half'],
])('preserves a text with %s, in a new and in an open editor', async (_, text) => {
  await openTabs();
  for (const id of ids) tabs.dispatch[id]({ type: 'restored', text, base: version(1) });
  await expect.poll(shownText).toBe(text);
  expect(tabs.states.a.text).toBe(text);
  tabs.activate('b');
  await expect.poll(shownText).toBe(text);
  expect(tabs.states.b.text).toBe(text);
});

test('shows different line ends in one text with one line end, and the state has the shown text', async () => {
  await openTabs();
  const text = '{\r"a": 1,\r\n"b": 2\n}';
  for (const id of ids) tabs.dispatch[id]({ type: 'restored', text, base: version(1) });
  for (const id of ids) {
    tabs.activate(id);
    await expect.poll(() => tabs.active).toBe(id);
    await expect.poll(shownText).toBe('{\r\n"a": 1,\r\n"b": 2\r\n}');
    await expectSameText();
  }
});

test('keeps a key that was typed while a save was sent, on the saved version', async () => {
  await openTabs();
  dispatchToActive({ type: 'edited', text: version(1, 'Mine').text });
  await expect.poll(shownText).toBe(version(1, 'Mine').text);
  dispatchToActive({ type: 'review' });
  dispatchToActive({ type: 'sent' });
  type('x');
  dispatchToActive({ type: 'saved', version: version(2, 'Mine') });
  await expect.poll(() => tabs.states.a.base?.version).toBe(2);
  await expectSameText();
  expect(shownText()).toBe(`x${version(1, 'Mine').text}`);
  expect(isUnsaved(tabs.states.a)).toBe(true);
});

test('keeps a key in the editor while the state has not received it', async () => {
  await openTabs();
  type('a');
  await expect.poll(() => isUnsaved(tabs.states.a)).toBe(true);
  // A further key waits for the frame that shows it; the reason for the change does not wait.
  type('b');
  flushSync(() => dispatchToActive({ type: 'reasoned', reason: { text: 'Wrong', writtenAt: '' } }));
  expect(tabs.states.a.text).toBe(`a${version(1).text}`);
  expect(shownText()).toBe(`ab${version(1).text}`);
  await expect.poll(() => tabs.states.a.text).toBe(`ab${version(1).text}`);
});

test('does not put the old text back if a key is typed before the editor shows a newer version', async () => {
  await openTabs();
  dispatchToActive({ type: 'loaded', version: version(2, 'Theirs') });
  type('x');
  await expect.poll(() => tabs.states.a.base?.version).toBe(2);
  await expectSameText();
  expect(shownText()).toBe(version(2, 'Theirs').text);
});

test('reverts a replaced text with one undo, and a save together with the edit before it', async () => {
  await openTabs();
  type('\n');
  await expect.poll(() => isUnsaved(tabs.states.a)).toBe(true);
  dispatchToActive({ type: 'edited', text: version(1, 'Fixed').text });
  await expect.poll(shownText).toBe(version(1, 'Fixed').text);
  undo();
  await expect.poll(() => tabs.states.a.text).toBe(`\n${version(1).text}`);
  redo();
  await expect.poll(() => tabs.states.a.text).toBe(version(1, 'Fixed').text);
  dispatchToActive({ type: 'saved', version: version(2, 'Fixed') });
  await expect.poll(shownText).toBe(version(2, 'Fixed').text);
  undo();
  await expect.poll(() => tabs.states.a.text).toBe(`\n${version(1).text}`);
});

test('copies the change of a record in the background when its tab is shown', async () => {
  await openTabs();
  type('\n');
  await expect.poll(() => isUnsaved(tabs.states.a)).toBe(true);
  tabs.activate('b');
  await expect.poll(shownText).toBe(version(1).text);
  tabs.dispatch.a({ type: 'loaded', version: version(3, 'Later') });
  tabs.dispatch.a({ type: 'restored', text: version(3, 'Draft').text, base: version(3) });
  tabs.activate('a');
  await expect.poll(shownText).toBe(version(3, 'Draft').text);
  undo();
  await expect.poll(() => tabs.states.a.text).toBe(`\n${version(1).text}`);
});
