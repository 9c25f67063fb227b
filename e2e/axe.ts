import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import { chromium, expect, type Page } from '@playwright/test';
import { browserFlags, ensureBrowser } from '../scripts/browser.ts';

declare global {
  interface Window {
    readonly axe: typeof Axe;
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Every tag of levels A and AA. WCAG 2.2 adds rules of level A too, but axe has none yet. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** The last size is 1440 x 900 at a zoom of 200 %. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 720, height: 450 },
] as const;
const looks = sizes.flatMap((size) =>
  (['dark', 'light'] as const).map((colorScheme) => ({ ...size, colorScheme })),
);

/**
 * Asserts that the visible part of the page meets WCAG 2.2 AA and axe's best practices, at any size and in
 * both themes. In the sample of `npm test` it checks two of these six looks.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize();
  // Each look takes seconds: the sample of `npm test` checks the largest size in dark and the smallest in light.
  const checkedLooks =
    process.env.SAMPLE_TESTS === undefined ? looks : [...looks.slice(0, 1), ...looks.slice(-1)];
  for (const { width, height, colorScheme } of checkedLooks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached();
    const violations = [...(await findings(page)), ...(await narrativeFindings(page))];
    expect(violations, `${width} x ${height}, ${colorScheme}`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}

/**
 * Lists the broken rules with their elements, on the page only: a sandboxed frame rejects scripts, and the
 * console would report that.
 */
async function findings(
  page: Page,
  tags: readonly string[] = [...wcag, 'best-practice'],
): Promise<readonly string[]> {
  await page.evaluate(source);
  return page.evaluate(
    async (values) => {
      // A tag selects no experimental rule, unless the rule is also enabled by its name.
      const experimental = window.axe
        .getRules(values)
        .filter(({ tags: ruleTags }) => ruleTags.includes('experimental'));
      // ARIA 1.2 derives these roles from widgets: a separator if it is focusable.
      const type = 'widget';
      window.axe.configure({ standards: { ariaRoles: { row: { type }, separator: { type } } } });
      const { violations, incomplete } = await window.axe.run(document, {
        runOnly: { type: 'tag', values },
        rules: Object.fromEntries(experimental.map(({ ruleId }) => [ruleId, { enabled: true }])),
        iframes: false,
      });
      const names = incomplete.filter(({ id }) => id === 'label-content-name-mismatch');
      // Popups such as menus belong to no landmark, and neither does their container.
      const popupSelector = '[role=menu], [role=tooltip]';
      const isCalled = (target: string) => {
        const element = document.querySelector(target);
        return (
          element?.closest(popupSelector) ??
          element?.closest('[data-portal]')?.querySelector(`:scope > ${popupSelector}`)
        );
      };
      return [...violations, ...names].flatMap(({ id, nodes }) =>
        nodes
          .filter(({ target }) => id !== 'region' || !isCalled(target.join(' ')))
          .map(
            ({ target, html, failureSummary }) =>
              `${id}: ${target.join(' ')}: ${html}: ${failureSummary ?? ''}`,
          ),
      );
    },
    [...tags],
  );
}

/**
 * Lists the broken rules of the narratives. Their frames run no script, so their documents are checked on
 * separate pages.
 */
async function narrativeFindings(page: Page): Promise<readonly string[]> {
  const frames = await page.locator('iframe[srcdoc]').all();
  if (frames.length === 0) return [];
  const contextBrowser = page.context().browser();
  // Electron's context belongs to no browser, and opens no page.
  const browser =
    contextBrowser ?? (await chromium.launch({ executablePath: ensureBrowser(), args: [...browserFlags] }));
  const isolatedPage = await browser.newPage();
  const violations: string[] = [];
  try {
    for (const frame of frames) {
      // The page fills the frame of the reading view and provides its background.
      const { text, ground } = await frame.evaluate((frameElement: HTMLIFrameElement) => ({
        text: frameElement.contentDocument?.documentElement.outerHTML ?? frameElement.srcdoc,
        ground: getComputedStyle(document.documentElement).getPropertyValue('--ck-content'),
      }));
      // Its own policy would block axe too.
      await isolatedPage.setContent(text.replace(/<meta http-equiv[^>]*>/, ''));
      await isolatedPage.evaluate((color) => {
        document.body.style.background = color;
      }, ground);
      // It is a part of a page that provides landmarks and headings.
      violations.push(...(await findings(isolatedPage, wcag)).map((violation) => `narrative: ${violation}`));
    }
  } finally {
    await isolatedPage.close();
    if (!contextBrowser) await browser.close();
  }
  return violations;
}
