import { createContext, use, useEffect, useLayoutEffect, useRef } from 'react';
import type { CommandId } from '../../core/app/commands.ts';
import { createStore } from '../ui/store.ts';

/** Handler of a command, or the reason why it can't run. */
export type CommandHandler = (() => void) | string;

export type CommandHandlers = Readonly<Partial<Record<CommandId, CommandHandler>>>;

/** Handlers of one component, as of its last render. */
interface Contribution {
  readonly current: CommandHandlers;
}

interface RegistryOptions {
  /** Returns the handler of a command that no component handles. */
  readonly fallback: (id: CommandId, runNext: (id: CommandId) => void) => CommandHandler;
  /** Reports the reason why a command can't run. */
  readonly reject: (reason: string) => void;
}

export type CommandRegistry = ReturnType<typeof createCommandRegistry>;

/** Creates the registry of command handlers. The component that was mounted last takes precedence. */
export function createCommandRegistry({ fallback, reject }: RegistryOptions) {
  const contributions = createStore<readonly Contribution[]>([]);
  let awaited: CommandId | undefined;

  const handlerOf = (id: CommandId): CommandHandler =>
    contributions.get().findLast(({ current }) => id in current)?.current[id] ?? fallback(id, runNext);

  /** Runs a command once the next component handles it, for example a view that is opening. */
  function runNext(id: CommandId): void {
    awaited = id;
  }
  function run(id: CommandId): void {
    const handler = handlerOf(id);
    if (typeof handler === 'string') reject(handler);
    else handler();
  }

  return {
    contributions,
    handlerOf,
    run,
    /** Adds handlers and returns the function that removes them. */
    add(contribution: Contribution): () => void {
      contributions.set([...contributions.get(), contribution]);
      return () => contributions.set(contributions.get().filter((entry) => entry !== contribution));
    },
    /** Runs the waiting command if these handlers include it. */
    runAwaited({ current }: Contribution): void {
      if (awaited === undefined || !(awaited in current)) return;
      const id = awaited;
      awaited = undefined;
      run(id);
    },
  };
}

export const CommandsContext = createContext(
  createCommandRegistry({ fallback: () => '', reject: () => undefined }),
);

/** Registers handlers while the component is mounted. The latest handlers apply. */
export function useCommandHandlers(handlers: CommandHandlers): void {
  const registry = use(CommandsContext);
  const latest = useRef(handlers);
  // In a layout effect, so that no key arrives before the handlers of the visible render.
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  const handlersKey = JSON.stringify(handlers, (_, value: unknown) =>
    typeof value === 'function' ? null : value,
  );
  useLayoutEffect(() => registry.add(latest), [registry, handlersKey]);
  useEffect(() => registry.runAwaited(latest), [registry]);
}

/** Returns the function that runs a command. */
export function useRunCommand(): (id: CommandId) => void {
  return use(CommandsContext).run;
}
