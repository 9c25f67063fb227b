import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import { chromium, expect, test, type Page } from '@playwright/test';
import { browserFlags, ensureBrowser } from '../scripts/browser.ts';

declare global {
  interface Window {
    readonly axe: typeof Axe;
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const wcag = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** The last is 1440 x 900 at a zoom of 200 %. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 720, height: 450 },
] as const;
const looks = sizes.flatMap((size) =>
  (['dark', 'light'] as const).map((colorScheme) => ({ ...size, colorScheme })),
);

/** Fails where WCAG 2.2 AA or axe's best practices are broken by what is in front, at any size and in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize();
  // The other sizes take their time, and are looked at where the long tests are run.
  const at = test.info().tags.includes('@long') ? looks : looks.slice(0, 2);
  for (const { width, height, colorScheme } of at) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached();
    const found = [...(await findings(page)), ...(await narrativeFindings(page))];
    expect(found, `${width} x ${height}, ${colorScheme}`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}

/**
 * Each rule that is broken, with where. In the page alone: a script that is put into a sandboxed frame is refused, and
 * the refusal stands in the console.
 */
async function findings(
  page: Page,
  tags: readonly string[] = [...wcag, 'best-practice'],
): Promise<readonly string[]> {
  await page.evaluate(source);
  return page.evaluate(
    async (values) => {
      const { violations } = await window.axe.run(document, {
        runOnly: { type: 'tag', values },
        iframes: false,
      });
      // What is called over the page, such as a menu, belongs to no landmark; nor does what it is hung in.
      const called = '[role=menu], [role=tooltip]';
      const isCalled = (target: string) => {
        const element = document.querySelector(target);
        return (
          element?.closest(called) ?? element?.closest('[data-portal]')?.querySelector(`:scope > ${called}`)
        );
      };
      return violations.flatMap(({ id, nodes }) =>
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

/** The same of the narratives: their frames run no script, so their documents are looked at on pages of their own. */
async function narrativeFindings(page: Page): Promise<readonly string[]> {
  const frames = await page.locator('iframe[srcdoc]').all();
  if (frames.length === 0) return [];
  const own = page.context().browser();
  // Electron's context belongs to no browser, and opens no page.
  const browser =
    own ?? (await chromium.launch({ executablePath: ensureBrowser(), args: [...browserFlags] }));
  const alone = await browser.newPage();
  const all: string[] = [];
  try {
    for (const frame of frames) {
      // That of the reading view is filled by the page, whose ground it lets through.
      const { text, ground } = await frame.evaluate((one: HTMLIFrameElement) => ({
        text: one.contentDocument?.documentElement.outerHTML ?? one.srcdoc,
        ground: getComputedStyle(document.documentElement).getPropertyValue('--ck-content'),
      }));
      // Its own policy would keep the tool out as well.
      await alone.setContent(text.replace(/<meta http-equiv[^>]*>/, ''));
      await alone.evaluate((color) => {
        document.body.style.background = color;
      }, ground);
      // A part of a page, whose landmarks and headings are the page's.
      all.push(...(await findings(alone, wcag)).map((one) => `narrative: ${one}`));
    }
  } finally {
    await alone.close();
    if (!own) await browser.close();
  }
  return all;
}
