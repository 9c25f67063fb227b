import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { importDirty } from './quality-page.ts';
import { openPlan } from './record-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('the edge between JSON and reading view is dragged, moved by keys, and remembered @long', async ({
  workbench: { page },
  server,
}) => {
  await openPlan(page, server);
  await page.getByRole('tab', { name: 'Both', exact: true }).click();
  const edge = page.getByRole('separator', { name: 'Width of the reading view' });
  const reading = page.getByRole('region', { name: 'Reading view' });
  const width = async () => (await reading.boundingBox())?.width ?? 0;
  await expect(edge).toHaveAttribute('aria-valuenow', '50');
  const before = await width();

  const box = await edge.boundingBox();
  if (!box) throw new Error('The edge is not drawn.');
  await page.mouse.move(box.x + 2, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 102, box.y + 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeLessThan(before - 80);
  await expect(edge).not.toHaveAttribute('aria-valuenow', '50');

  await edge.press('Home');
  await expect(edge).toHaveAttribute('aria-valuenow', '75');
  await edge.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', '73');
  await expect.poll(width).toBeGreaterThan(before + 80);
  const kept = await width();
  await page.reload();
  await expect(edge).toHaveAttribute('aria-valuenow', '73');
  await expect.poll(width).toBeCloseTo(kept, -1);
  await edge.dblclick();
  await expect(edge).toHaveAttribute('aria-valuenow', '50');
});

/** What the page asked to be printed: how often, the words, and the colours of ink and paper. */
interface Printed {
  readonly count: number;
  readonly words: string;
  readonly colours: readonly string[];
  readonly headings: readonly string[];
}

test('a record is printed from its reading view alone, every section whole, in black on white @long', async ({
  workbench,
  server,
}) => {
  const { page } = workbench;
  await page.emulateMedia({ colorScheme: 'dark' });
  const narrative = (words: string) => ({
    status: 'generated',
    div: `<div xmlns="http://www.w3.org/1999/xhtml"><p style="color:#eee">${words}</p><table><tr><td>5.00 mg</td></tr></table></div>`,
  });
  // More sections than are drawn at once, more entries than are listed at first.
  const section = Array.from({ length: 240 }, (_, at) => ({
    title: `Part ${at + 1}`,
    text: narrative(`Words of part ${at + 1}`),
    ...(at === 0 && {
      entry: Array.from({ length: 12 }, (_one, entry) => ({ display: `Entry ${entry + 1}` })),
    }),
  }));
  const document = {
    ...{
      resourceType: 'Composition',
      id: 'paper',
      status: 'final',
      type: { text: 'Letter' },
      title: 'On paper',
    },
    ...{
      subject: { display: 'Ada Example' },
      date: '2026-01-14',
      author: [{ display: 'Dr Specimen' }],
      section,
    },
  };
  await importDirty(server, [document]);
  await new Frame(page).openById('paper');
  await page.getByRole('tab', { name: 'Read', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Reading view' })).toContainText('Part 1');
  await page.evaluate(() => {
    const counted = window as Window & { printed?: number };
    // Before the page itself hears that the frame is there.
    const count = ({ target }: Event) => {
      if (target instanceof HTMLIFrameElement && target.dataset.print && target.contentWindow)
        target.contentWindow.print = () => (counted.printed = (counted.printed ?? 0) + 1);
    };
    window.document.addEventListener('load', count, true);
  });
  await page.keyboard.press('Alt+Shift+P');
  // Read from outside: a look into the frame is itself a script that its sandbox refuses.
  const printed = () =>
    page.evaluate((): Printed => {
      const body =
        window.document.querySelector<HTMLIFrameElement>('iframe[data-print]')?.contentDocument?.body;
      const paragraph = body?.querySelector('section p');
      return {
        count: (window as Window & { printed?: number }).printed ?? 0,
        words: body?.textContent ?? '',
        colours:
          body && paragraph
            ? [getComputedStyle(paragraph).color, getComputedStyle(body).backgroundColor]
            : [],
        headings: [...(body?.querySelectorAll('h3') ?? [])].map((one) => one.textContent),
      };
    });
  await expect.poll(async () => (await printed()).count).toBe(1);
  const { words, colours, headings } = await printed();
  expect(headings).toEqual(section.map(({ title }) => title));
  for (const said of ['On paper', 'Ada Example', 'Dr Specimen', 'Entry 12', '5.00 mg', 'Words of part 240'])
    expect(words).toContain(said);
  for (const left of ['Show all', 'Overview', 'Review changes', '"resourceType"'])
    expect(words).not.toContain(left);
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  // The text can be worked on as before.
  await page.getByRole('tab', { name: 'Both', exact: true }).click();
  await workbench.replaceInEditor('"title": "On paper"', '"title": "On screen"');
  await expect(
    page.getByRole('region', { name: 'Reading view' }).getByRole('heading', { name: 'On screen' }),
  ).toBeVisible();
});
