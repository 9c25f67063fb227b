import { expect, test, vi } from 'vitest';
import { createCommandRegistry, type CommandHandlers } from './commands.ts';

function registry() {
  const reasons: string[] = [];
  const commands = createCommandRegistry({
    fallback: (id, runNext) => (id === 'audit.verify' ? () => runNext(id) : 'Nobody is there.'),
    reject: (reason) => reasons.push(reason),
  });
  return { commands, reasons, add: (handlers: CommandHandlers) => commands.add({ current: handlers }) };
}

test('uses the handlers of the component that was mounted last', () => {
  const { commands, add, reasons } = registry();
  const [olderHandler, newerHandler] = [vi.fn<() => void>(), vi.fn<() => void>()];
  add({ 'quality.next': olderHandler });
  const remove = add({ 'quality.next': newerHandler });
  commands.run('quality.next');
  remove();
  commands.run('quality.next');
  expect([olderHandler.mock.calls.length, newerHandler.mock.calls.length]).toEqual([1, 1]);
  expect(reasons).toEqual([]);
});

test('uses the current handlers of a component', () => {
  const { commands, reasons } = registry();
  const handlers: { current: CommandHandlers } = { current: { 'tab.close': 'The search stays open.' } };
  commands.add(handlers);
  commands.run('tab.close');
  const close = vi.fn<() => void>();
  handlers.current = { 'tab.close': close };
  commands.run('tab.close');
  expect(reasons).toEqual(['The search stays open.']);
  expect(close).toHaveBeenCalledOnce();
});

test('uses the fallback without a handler and notifies subscribers of changes', () => {
  const { commands, add, reasons } = registry();
  commands.run('record.review');
  expect(reasons).toEqual(['Nobody is there.']);
  const onChange = vi.fn<() => void>();
  commands.contributions.subscribe(onChange);
  add({ 'record.review': vi.fn<() => void>() })();
  expect(onChange).toHaveBeenCalledTimes(2);
  expect(commands.handlerOf('record.review')).toBe('Nobody is there.');
});

test('runs a waiting command once when its view is mounted', () => {
  const { commands } = registry();
  const verify = vi.fn<() => void>();
  const mount = (handlers: CommandHandlers) => {
    const view = { current: handlers };
    commands.add(view);
    commands.runAwaited(view);
  };
  commands.run('audit.verify');
  mount({ 'quality.next': vi.fn<() => void>() });
  expect(verify).not.toHaveBeenCalled();
  mount({ 'audit.verify': verify });
  mount({ 'audit.verify': verify });
  expect(verify).toHaveBeenCalledOnce();
});
