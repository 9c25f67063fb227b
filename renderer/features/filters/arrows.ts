import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Arrows lead through the buttons of a group. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === event.target);
  buttons[step(at, buttons.length)]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
