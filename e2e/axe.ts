import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** Fails where WCAG 2.2 AA is broken by what is in front, in the light theme or in the dark one. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached();
    expect([...(await findings(page)), ...(await narrativeFindings(page))], colorScheme).toEqual([]);
  }
}

/** Each rule that is broken, with where. The legacy mode stays out of frames. */
async function findings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).withTags(tags).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

/** The same of the narrative: its frame runs no script, so its document is looked at on a page of its own. */
async function narrativeFindings(page: Page): Promise<readonly string[]> {
  const frames = page.locator('iframe[srcdoc]');
  const all: string[] = [];
  for (const frame of await frames.all()) {
    const text = (await frame.getAttribute('srcdoc')) ?? '';
    const alone = await page.context().newPage();
    // Its own policy would keep the tool out as well.
    await alone.setContent(text.replace(/<meta http-equiv[^>]*>/, ''));
    all.push(...(await findings(alone)).map((one) => `narrative: ${one}`));
    await alone.close();
  }
  return all;
}
