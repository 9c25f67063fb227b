import { useEffect } from 'react';
import { useCommandHandlers } from '../platform/commands.ts';
import { isBehind } from '../ui/focus.ts';

/** Regions that F6 cycles through, in this order. Each has a `data-region` attribute. */
const regionNames = ['top', 'views', 'tabs', 'main', 'inspector', 'practice', 'status'] as const;

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

/** Last focused element of each region. */
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Installs the commands that move the focus between regions. */
export function useRegions(): void {
  useEffect(trackFocus, []);
  useCommandHandlers({ 'region.next': () => moveRegion(1), 'region.previous': () => moveRegion(-1) });
}

/** Records the focused element of each region. Returns a function that stops. */
function trackFocus(): () => void {
  function onFocus({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement)) return;
    const region = target.closest('[data-region]');
    if (region) lastFocused.set(region, target);
  }
  document.addEventListener('focusin', onFocus);
  return () => document.removeEventListener('focusin', onFocus);
}

/** Moves the focus to the next or previous visible region. */
function moveRegion(direction: 1 | -1): void {
  const regions = regionNames.flatMap((name) => findVisibleRegion(name) ?? []);
  const { activeElement } = document;
  const currentRegion = activeElement?.closest('[data-region]');
  // The element may have had the focus before the listener existed.
  if (currentRegion && activeElement instanceof HTMLElement) lastFocused.set(currentRegion, activeElement);
  const currentIndex = regions.findIndex((region) => region === currentRegion);
  const startIndex = currentIndex === -1 && direction === -1 ? 0 : currentIndex;
  for (let step = 1; step <= regions.length; step++) {
    const region = regions[(startIndex + direction * step + regions.length * 2) % regions.length];
    if (region && focusRegion(region)) return;
  }
}

/** Moves the focus into the main area: to its last focused element, otherwise to the first focusable one. */
export function focusMain(): void {
  const main = findVisibleRegion('main');
  if (main) focusRegion(main);
}

/** Returns the visible region: inactive tabs have inspectors too. */
function findVisibleRegion(name: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[data-region=${name}]`)].find(isVisible);
}

function isVisible(element: HTMLElement): boolean {
  return !isBehind(element) && element.checkVisibility({ visibilityProperty: true });
}

function focusRegion(region: HTMLElement): boolean {
  const lastElement = lastFocused.get(region);
  const candidates = [
    // A tab or row that is no longer current has left the tab order.
    ...(lastElement?.matches(tabbable) ? [lastElement] : []),
    ...region.querySelectorAll<HTMLElement>('[aria-selected=true][tabindex="0"]'),
    ...region.querySelectorAll<HTMLElement>(tabbable),
    region,
  ];
  return candidates.some((element) => {
    if (!element.isConnected || !isVisible(element) || element.closest('[data-region]') !== region)
      return false;
    element.focus();
    return document.activeElement === element;
  });
}
