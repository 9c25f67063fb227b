import { createContext, use, useEffect, useLayoutEffect, useRef } from 'react';
import type { CommandId } from '../../core/app/commands.ts';
import { createStore } from '../ui/store.ts';

/** What a command does now; or why it cannot be run, as a sentence for the status bar. */
export type CommandHandler = (() => void) | string;

export type CommandHandlers = Readonly<Partial<Record<CommandId, CommandHandler>>>;

/** The handlers of one component, as it was drawn last. */
interface Contribution {
  readonly current: CommandHandlers;
}

interface RegistryOptions {
  /** What a command does while no component handles it. */
  readonly fallback: (id: CommandId, runNext: (id: CommandId) => void) => CommandHandler;
  /** Says why a command cannot be run. */
  readonly refuse: (reason: string) => void;
}

export type CommandRegistry = ReturnType<typeof createCommandRegistry>;

/** Who handles which command: where several components do, the one that was mounted last. */
export function createCommandRegistry({ fallback, refuse }: RegistryOptions) {
  const contributions = createStore<readonly Contribution[]>([]);
  let awaited: CommandId | undefined;

  const handlerOf = (id: CommandId): CommandHandler =>
    contributions.get().findLast(({ current }) => id in current)?.current[id] ?? fallback(id, runNext);

  /** Runs a command as soon as the next component handles it, such as a view that is about to open. */
  function runNext(id: CommandId): void {
    awaited = id;
  }
  function run(id: CommandId): void {
    const handler = handlerOf(id);
    if (typeof handler === 'string') refuse(handler);
    else handler();
  }

  return {
    contributions,
    handlerOf,
    run,
    /** Returns how to take the handlers out again. */
    add(contribution: Contribution): () => void {
      contributions.set([...contributions.get(), contribution]);
      return () => contributions.set(contributions.get().filter((one) => one !== contribution));
    },
    /** Runs the command that was waited with, where these handlers have it. */
    settle({ current }: Contribution): void {
      if (awaited === undefined || !(awaited in current)) return;
      const id = awaited;
      awaited = undefined;
      run(id);
    },
  };
}

export const CommandsContext = createContext(
  createCommandRegistry({ fallback: () => '', refuse: () => undefined }),
);

/** Handles commands while the component is mounted, each time by what was given last. */
export function useCommandHandlers(handlers: CommandHandlers): void {
  const registry = use(CommandsContext);
  const latest = useRef(handlers);
  // Before a key can be pressed on what is seen.
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  const told = JSON.stringify(handlers, (_, value: unknown) => (typeof value === 'function' ? null : value));
  useLayoutEffect(() => registry.add(latest), [registry, told]);
  useEffect(() => registry.settle(latest), [registry]);
}

/** How to run a command from a button. */
export function useRunCommand(): (id: CommandId) => void {
  return use(CommandsContext).run;
}
