import { expect, onTestFinished, test } from 'vitest';
import { cleanup, renderHook } from 'vitest-browser-react/pure';
import { useLog, type LogState } from './use-log.ts';

const noFilter = { text: '', period: '' };
type State = LogState<typeof noFilter, string>;

async function openLog() {
  onTestFinished(cleanup);
  return renderHook(() => useLog(noFilter, ({ selectedAt }: State) => ({ selectedAt })));
}

test('counts a period from its selection, not from later typing', async () => {
  const { result, act } = await openLog();
  await act(() => result.current.change({ period: '60' }));
  const { selectedAt } = result.current.filter;
  expect(selectedAt).toBeGreaterThan(0);
  await act(() => result.current.change({ text: 'a' }));
  expect(result.current).toMatchObject({
    form: { text: 'a', period: '60' },
    filter: { selectedAt },
  });
  await act(() => result.current.reset());
  expect(result.current).toMatchObject({ form: noFilter, filter: { selectedAt: 0 } });
});

test('closes the details when the filter changes', async () => {
  const { result, act } = await openLog();
  await act(() => result.current.showEntry('x'));
  expect(result.current.shownEntry).toBe('x');
  await act(() => result.current.change({ text: 'a' }));
  expect(result.current.shownEntry).toBeUndefined();
});

test('keeps the filter when the details are closed', async () => {
  const { result, act } = await openLog();
  await act(() => result.current.change({ period: '60' }));
  const { selectedAt } = result.current.filter;
  await act(() => result.current.showEntry('x'));
  await act(() => result.current.hideDetails());
  expect(result.current).toMatchObject({
    form: { period: '60' },
    shownEntry: undefined,
    filter: { selectedAt },
  });
});
