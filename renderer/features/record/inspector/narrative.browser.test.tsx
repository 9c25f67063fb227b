import { MantineProvider } from '@mantine/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands, page, type Locator } from 'vitest/browser';
import { narrativeAttributes, narrativeElements } from '../../../../core/fhir/validation/xhtml-names.ts';
import { safeMarkup } from '../../../platform/safe-markup.ts';
import { contrastOf } from '../../../testing/contrast.ts';
import { hostile } from '../../../testing/hostile-markup.ts';
import { show, startServer } from '../../../testing/show.tsx';
import { text } from '../../../ui/text.ts';
import { Narrative } from './narrative.tsx';

declare global {
  interface Window {
    /** What hostile markup calls where it gets to run. */
    planted?: (what: string) => void;
  }
}

const none = (): void => undefined;
const done: string[] = [];
let frame: HTMLIFrameElement | undefined;

beforeEach(async () => {
  done.length = 0;
  window.planted = (what) => done.push(what);
  await commands.watchRequests();
});

afterEach(() => {
  frame?.remove();
  delete window.planted;
});

/** Waits until a frame has this page, and all that the page loads has come or failed. */
async function load(made: HTMLIFrameElement, srcdoc: string): Promise<void> {
  frame = made;
  const loaded = new Promise((loads) => made.addEventListener('load', loads, { once: true }));
  made.srcdoc = srcdoc;
  document.body.append(made);
  await loaded;
}

/** Writes markup into a frame that nothing protects. */
async function openly(markup: string): Promise<Document> {
  const made = document.createElement('iframe');
  await load(made, `<!doctype html><body>${markup}`);
  if (!made.contentDocument) throw new Error('The frame is not of this origin any more.');
  return made.contentDocument;
}

async function asked(): Promise<readonly string[]> {
  return (await commands.requests()).filter((address) => /planted|relative/.test(address));
}

test('the trap works: without the sanitizer hostile markup loads and runs', async () => {
  await openly(hostile['event handlers']);
  expect(done).toContain('ran');
  expect(await asked()).not.toEqual([]);
});

test.each(Object.entries(hostile))(
  '%s: nothing is loaded, nothing runs, the text stays',
  async (_, markup) => {
    const within = await openly(
      safeMarkup(`<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`).markup,
    );
    expect(within.body.textContent).toContain('kept');
    for (const element of within.body.querySelectorAll('*')) {
      expect(narrativeElements).toContain(element.localName);
      expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
      for (const { name, value } of element.attributes) {
        // No script can take `is` off an element again; what it names is gone.
        if (name === 'is' && value === '') continue;
        expect(narrativeAttributes).toContain(name);
        expect(`${name}=${value}`).not.toMatch(/planted|^(?:href|cite|longdesc)=|^src=(?!data:image\/png)/);
      }
    }
    expect(await asked()).toEqual([]);
    expect(done).toEqual([]);
  },
);

test('what FHIR allows stays as it was written', () => {
  const markup =
    '<div xmlns="http://www.w3.org/1999/xhtml" lang="de"><h1 class="a" id="top">T</h1><table border="1"><tbody><tr><td style="color: red" colspan="2">1 &lt; 2</td></tr></tbody></table><img src="data:image/png;base64,iVBORw0KGgo=" alt="A"></div>';
  // HTML needs no namespace.
  expect(safeMarkup(markup).markup).toBe(markup.replace(' xmlns="http://www.w3.org/1999/xhtml"', ''));
});

test('the narrative is shown in a frame of its own, in its language', async () => {
  await startServer();
  await show(<Narrative xhtml={`<div lang="de">${hostile.script}</div>`} onShow={none} />);
  const shown = page.getByTitle(text.summary.narrative);
  await expect.element(shown).toHaveAttribute('sandbox', '');
  expect(srcdocOf(shown)).toContain('<html lang="de">');
  expect(srcdocOf(shown)).toMatch(/<div lang="de">kept<\/div>$/);
});

test('what the sanitizer would let through is not loaded and does not run in that frame', async () => {
  await startServer();
  await show(<Narrative xhtml="<div>before</div>" onShow={none} />);
  const shown = page.getByTitle(text.summary.narrative);
  await expect.element(shown).toBeVisible();
  for (const markup of Object.values(hostile)) {
    const same = shown.element().cloneNode() as HTMLIFrameElement;
    await load(same, srcdocOf(shown) + markup);
    expect(await asked()).toEqual([]);
    same.remove();
  }
  expect(done).toEqual([]);
});

test.each([
  ['a ground', '<p style="background-color: #d9e0e7">IPS</p>'],
  ['a ground by its short name', '<p style="background: LightGoldenRodYellow">LOINC</p>'],
  ['a ground of XHTML', '<table bgcolor="#eeeeee"><tr><th>Dose</th></tr></table>'],
  ['a text colour', '<p style="color: #333">Ramipril</p>'],
  ['a link', '<p style="background: #fff"><a href="#x">Ramipril</a></p>'],
  ['nothing of its own', '<p>Ramipril</p>'],
])('a narrative with %s is read in the dark', async (_, markup) => {
  await startServer();
  await show(
    <MantineProvider forceColorScheme="dark">
      <Narrative xhtml={`<div>${markup}</div>`} onShow={none} />
    </MantineProvider>,
  );
  const made = document.createElement('iframe');
  await load(made, srcdocOf(page.getByTitle(text.summary.narrative)));
  const words = [...(made.contentDocument?.querySelectorAll('p, th, a') ?? [])];
  expect(words.length).toBeGreaterThan(0);
  for (const one of words) expect(contrastOf(one)).toBeGreaterThan(4.5);
});

function srcdocOf(shown: Locator): string {
  return shown.element().getAttribute('srcdoc') ?? '';
}
