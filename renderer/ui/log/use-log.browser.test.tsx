import { expect, onTestFinished, test } from 'vitest';
import { cleanup, renderHook } from 'vitest-browser-react/pure';
import { useLog, type LogState } from './use-log.ts';

const noFilter = { text: '', period: '' };
type State = LogState<typeof noFilter, string>;

async function openLog() {
  onTestFinished(cleanup);
  return renderHook(() => useLog(noFilter, ({ chosenAt }: State) => ({ chosenAt })));
}

test('a period counts from when it was chosen, whatever is typed later', async () => {
  const { result, act } = await openLog();
  await act(() => result.current.change({ period: '60' }));
  const { chosenAt } = result.current.filter;
  expect(chosenAt).toBeGreaterThan(0);
  await act(() => result.current.change({ text: 'a' }));
  expect(result.current).toMatchObject({ form: { text: 'a', period: '60' }, filter: { chosenAt } });
  await act(() => result.current.reset());
  expect(result.current).toMatchObject({ form: noFilter, filter: { chosenAt: 0 } });
});

test('a changed filter closes the details, which may no longer be in the list', async () => {
  const { result, act } = await openLog();
  await act(() => result.current.show('x'));
  expect(result.current.shown).toBe('x');
  await act(() => result.current.change({ text: 'a' }));
  expect(result.current.shown).toBeUndefined();
});

test('hidden details leave the filter', async () => {
  const { result, act } = await openLog();
  await act(() => result.current.change({ period: '60' }));
  const { chosenAt } = result.current.filter;
  await act(() => result.current.show('x'));
  await act(() => result.current.hide());
  expect(result.current).toMatchObject({ form: { period: '60' }, shown: undefined, filter: { chosenAt } });
});
