import { useEffect } from 'react';
import { useCommandHandlers } from '../platform/commands.ts';
import { isBehind } from '../ui/focus.ts';

/** The parts of the window between which F6 moves, in this order; each is marked with `data-region`. */
const order = ['top', 'views', 'tabs', 'main', 'inspector', 'practice', 'status'] as const;

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

/** What had the focus in each region last. */
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Lets the focus move between the regions. */
export function useRegions(): void {
  useEffect(followRegions, []);
  useCommandHandlers({ 'region.next': () => moveRegion(1), 'region.previous': () => moveRegion(-1) });
}

/** Remembers where the focus was in each region, so that it comes back to it; returns how to stop. */
function followRegions(): () => void {
  function onFocus({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement)) return;
    const region = target.closest('[data-region]');
    if (region) lastFocused.set(region, target);
  }
  document.addEventListener('focusin', onFocus);
  return () => document.removeEventListener('focusin', onFocus);
}

/** Moves the focus to the next region that is shown, or to the one before. */
function moveRegion(by: 1 | -1): void {
  const regions = order.flatMap((name) => shownRegion(name) ?? []);
  const { activeElement } = document;
  const here = activeElement?.closest('[data-region]');
  // What had the focus before anybody listened.
  if (here && activeElement instanceof HTMLElement) lastFocused.set(here, activeElement);
  const at = regions.findIndex((region) => region === here);
  const from = at === -1 && by === -1 ? 0 : at;
  for (let step = 1; step <= regions.length; step++) {
    const region = regions[(from + by * step + regions.length * 2) % regions.length];
    if (region && focusIn(region)) return;
  }
}

/** Puts the focus into the main area: where it was there last, else on the first thing that takes it. */
export function focusMain(): void {
  const main = shownRegion('main');
  if (main) focusIn(main);
}

/** The inspector stands inside the main area, and more than one of it may be mounted behind the tab in front. */
function shownRegion(name: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[data-region=${name}]`)].find(isShown);
}

function isShown(element: HTMLElement): boolean {
  return !isBehind(element) && element.checkVisibility({ visibilityProperty: true });
}

function focusIn(region: HTMLElement): boolean {
  const last = lastFocused.get(region);
  const candidates = [
    // A tab or row that is not the current one any more has left the tab order.
    ...(last?.matches(tabbable) ? [last] : []),
    ...region.querySelectorAll<HTMLElement>('[aria-selected=true][tabindex="0"]'),
    ...region.querySelectorAll<HTMLElement>(tabbable),
    region,
  ];
  return candidates.some((element) => {
    if (!element.isConnected || !isShown(element) || element.closest('[data-region]') !== region)
      return false;
    element.focus();
    return document.activeElement === element;
  });
}
