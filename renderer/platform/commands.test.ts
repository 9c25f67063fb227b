import { expect, test, vi } from 'vitest';
import { createCommandRegistry, type CommandHandlers } from './commands.ts';

function registry() {
  const said: string[] = [];
  const commands = createCommandRegistry({
    fallback: (id, runNext) => (id === 'audit.verify' ? () => runNext(id) : 'Nobody is there.'),
    refuse: (reason) => said.push(reason),
  });
  return { commands, said, add: (handlers: CommandHandlers) => commands.add({ current: handlers }) };
}

test('the component that came last handles a command, and when it goes the one before it does', () => {
  const { commands, add, said } = registry();
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  add({ 'quality.next': first });
  const remove = add({ 'quality.next': second });
  commands.run('quality.next');
  remove();
  commands.run('quality.next');
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  expect(said).toEqual([]);
});

test('a handler counts as it is now, not as it was when it was added', () => {
  const { commands, said } = registry();
  const handlers: { current: CommandHandlers } = { current: { 'tab.close': 'The search stays open.' } };
  commands.add(handlers);
  commands.run('tab.close');
  const close = vi.fn<() => void>();
  handlers.current = { 'tab.close': close };
  commands.run('tab.close');
  expect(said).toEqual(['The search stays open.']);
  expect(close).toHaveBeenCalledOnce();
});

test('without a handler the fallback says why, and whoever follows is told when that changes', () => {
  const { commands, add, said } = registry();
  commands.run('record.review');
  expect(said).toEqual(['Nobody is there.']);
  const changed = vi.fn<() => void>();
  commands.contributions.subscribe(changed);
  add({ 'record.review': vi.fn<() => void>() })();
  expect(changed).toHaveBeenCalledTimes(2);
  expect(commands.handlerOf('record.review')).toBe('Nobody is there.');
});

test('a command that waits for its view runs once, when the view has come', () => {
  const { commands } = registry();
  const verify = vi.fn<() => void>();
  const come = (handlers: CommandHandlers) => {
    const view = { current: handlers };
    commands.add(view);
    commands.settle(view);
  };
  commands.run('audit.verify');
  come({ 'quality.next': vi.fn<() => void>() });
  expect(verify).not.toHaveBeenCalled();
  come({ 'audit.verify': verify });
  come({ 'audit.verify': verify });
  expect(verify).toHaveBeenCalledOnce();
});
