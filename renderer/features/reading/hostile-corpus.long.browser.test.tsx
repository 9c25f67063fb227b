import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { hostileCorpus } from '../../testing/hostile-corpus.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ReadingView } from './reading-view.tsx';

/** Markup of a document: so much is drawn at once. */
const together = 120;
const corpus = hostileCorpus(17, 120);

const done: string[] = [];
const none = (): void => undefined;
const frame = page.getByTitle(text.reading.narratives);

beforeEach(async () => {
  done.length = 0;
  window.planted = (what) => done.push(what);
  await startServer();
  await commands.watchRequests();
});

afterEach(() => delete window.planted);

const asked = async () => (await commands.requests()).filter((address) => /planted|relative/.test(address));

function View({ markup }: { readonly markup: readonly string[] }) {
  const section = markup.map((one, at) => ({
    title: `Foreign ${at}`,
    text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml"><p>kept</p>${one}</div>` },
  }));
  return (
    <div style={{ height: 700, display: 'flex' }}>
      <ReadingView
        modelPath="chartkeeper:/a"
        type="Composition"
        text={JSON.stringify({ resourceType: 'Composition', section })}
        {...{ issues: [], cursor: '', prints: 0, onReveal: none, onGo: none, onFollow: none }}
      />
    </div>
  );
}

/** What stands in the frame of the narratives. */
function narratives(): readonly HTMLElement[] {
  const { contentDocument } = frame.element() as HTMLIFrameElement;
  return [...(contentDocument?.querySelectorAll<HTMLElement>('[data-narrative]') ?? [])];
}

test('a corpus of hostile markup runs nothing, asks for nothing and is clicked in vain; the text before it is read', async () => {
  for (let from = 0; from < corpus.length; from += together) {
    const part = corpus.slice(from, from + together);
    const { unmount } = await show(<View markup={part} />);
    await expect.poll(() => narratives().length).toBe(part.length);
    for (const [at, shown] of narratives().entries()) {
      expect(shown.textContent, part[at]).toContain('kept');
      for (const one of shown.querySelectorAll<HTMLElement>('*')) one.click();
    }
    await unmount();
  }
  expect(await commands.messages()).toEqual([]);
  expect(await asked()).toEqual([]);
  expect(done).toEqual([]);
});

/** Loads markup into a frame, and takes it away once all that it loads has come or failed. */
async function load(srcdoc: string, sandbox?: string): Promise<void> {
  const made = document.createElement('iframe');
  if (sandbox !== undefined) made.setAttribute('sandbox', sandbox);
  const loaded = new Promise((loads) => made.addEventListener('load', loads, { once: true }));
  made.srcdoc = srcdoc;
  document.body.append(made);
  await loaded;
  made.remove();
}

/** The whole corpus, ten frames at once: each waits for what it asks for. */
async function loadAll(page: (markup: string) => string, sandbox?: string): Promise<void> {
  for (let from = 0; from < corpus.length; from += 10)
    await Promise.all(corpus.slice(from, from + 10).map((markup) => load(page(markup), sandbox)));
}

test('the frame alone, without the sanitizer, runs and asks for nothing either', async () => {
  const { unmount } = await show(<View markup={['x']} />);
  await expect.element(frame).toBeInTheDocument();
  const { srcdoc } = frame.element() as HTMLIFrameElement;
  const sandbox = frame.element().getAttribute('sandbox') ?? undefined;
  await unmount();
  await loadAll((markup) => srcdoc + markup, sandbox);
  expect(await asked()).toEqual([]);
  expect(done).toEqual([]);
});

test('where nothing guards it the same corpus runs and asks', async () => {
  await loadAll((markup) => `<!doctype html><body>${markup}`);
  const ran = done.length;
  expect(ran).toBeGreaterThan(corpus.length / 10);
  expect(new Set(await asked()).size).toBeGreaterThan(20);
});
