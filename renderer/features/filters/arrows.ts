import type { KeyboardEvent } from 'react';

const nextIndexes: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Moves the focus through the buttons of a group with arrow keys. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = nextIndexes[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const currentIndex = buttons.findIndex((button) => button === event.target);
  buttons[step(currentIndex, buttons.length)]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
