import { expect, onTestFinished, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { narrativeElements } from '../../../core/fhir/validation/xhtml-names.ts';
import { readMarkup } from '../../../core/fhir/validation/xhtml.ts';
import { readNarrative, safeMarkup } from '../../platform/safe-markup.ts';
import { hostile } from '../../testing/hostile-markup.ts';
import { narrativesIn, textsOf, textsWithin } from '../../testing/read-record.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ReadingView } from './reading-view.tsx';

const xhtml = 'http://www.w3.org/1999/xhtml';
const div = (markup: string) => `<div xmlns="${xhtml}">${markup}</div>`;

/** Valid FHIR narratives that an HTML parser, or a careless XML reader, would misread. */
const corpus = {
  section: div('<p>Potassium <![CDATA[3.1 mmol/L < 3.5 & <b>low</b>]]> low</p>'),
  'section with a handler': div('<p><![CDATA[dose on = 5 mg <i onset=1>]]></p>'),
  'sections side by side': div('<p><![CDATA[a]]><![CDATA[b]]>c</p>'),
  'entities by name': div('<p>caf&eacute; &alpha;&nbsp;&lt;5 &amp; &quot;x&quot; &apos;y&apos; &euro;</p>'),
  'entities by number': div('<p>&#x3b1; &#956;g &#128; &#13; &#x1F489;</p>'),
  prefix: `<h:div xmlns:h="${xhtml}"><h:p>Potassium 3.1</h:p><h:p>low</h:p></h:div>`,
  'prefix within': div(`<h:p xmlns:h="${xhtml}">one</h:p><h:p xmlns:h="${xhtml}">two</h:p>`),
  'self-closed elements': div(
    '<p><b/>Not bold</p><p>next</p><i/>plain<pre/>x  y<span/>z<a name="a"/>not a link',
  ),
  'self-closed cells': div('<table><tr><td/><td>5 mg</td></tr><tr/></table><p/>after'),
  comments: div('<p>a<!-- <b> hidden > -->b</p><!--><p>also hidden</p>-->c<?target data > ?>d'),
  table: div(
    '<table><caption>Doses</caption><col/><thead><tr><th>Name</th></tr></thead><tbody><tr><td>5<sup>2</sup></td></tr></tbody></table>',
  ),
  'table without a body': div('<table><tr><td>A</td><td>B</td></tr></table>'),
  'text between rows': div('<table>before<tr>between<td>A</td></tr>after</table>'),
  'cells without a table': div('<p>x</p><td>A</td><td>B</td>'),
  'preformatted text': div('<pre>  a\n    b &lt; c\n</pre>'),
  'nested lists': div('<ul><li>1<ol><li>1.1</li><li>1.2<ul><li>1.2.1</li></ul></li></ol>end</li></ul>'),
  definitions: div('<dl><dt>Dose</dt><dd>5 mg<p>daily</p></dd></dl>'),
  'blocks within paragraphs': div('<p>a<p>b</p>c<ul><li>d</li></ul>e<h2>f<h3>g</h3>h</h2></p>'),
  'links within links': div('<a name="x">one<a name="y">two</a>three</a>'),
  'empty elements with content': div('a<br>b</br><p>c</p><hr>d</hr><p>e</p>'),
  'image within': div('<img src="data:image/png;base64,iVBORw0KGgo=" alt="Chart"/>after'),
  'no namespace': '<div><p>a</p></div>',
  'white space before': ` \n${div('a')}\n`,
  language: `<div xmlns="${xhtml}" xml:lang="de"><p>Blut</p></div>`,
  'many levels': div(`${'<span>'.repeat(300)}deep${'</span>'.repeat(300)}`),
} as const;

const noop = (): void => undefined;

function View({
  narratives,
  prints = 0,
}: {
  readonly narratives: readonly string[];
  readonly prints?: number;
}) {
  const section = narratives.map((narrative, index) => ({
    title: `Part ${index}`,
    text: { status: 'additional', div: narrative },
  }));
  return <Reading record={JSON.stringify({ resourceType: 'Composition', section })} prints={prints} />;
}

function Reading({ record, prints = 0 }: { readonly record: string; readonly prints?: number }) {
  const { resourceType } = JSON.parse(record) as { resourceType: string };
  return (
    <div style={{ height: 700, display: 'flex' }}>
      <ReadingView
        modelPath="chartkeeper:/a"
        type={resourceType}
        text={record}
        issues={[]}
        cursor=""
        prints={prints}
        onReveal={noop}
        onGo={noop}
        onFollow={noop}
      />
    </div>
  );
}

const region = page.getByRole('region', { name: text.reading.name });
const frame = page.getByTitle(text.reading.narratives);

/** Returns the narratives on the screen. */
function onScreen(): HTMLElement[] {
  const { contentDocument } = frame.element() as HTMLIFrameElement;
  return [...(contentDocument?.querySelectorAll<HTMLElement>('[data-narrative]') ?? [])];
}

/** Returns the narratives on paper. */
function onPaper(): HTMLElement[] {
  const printDocument = document.querySelector<HTMLIFrameElement>('iframe[data-print]')?.contentDocument;
  return [...(printDocument?.querySelectorAll<HTMLElement>('[data-narrative-slot]') ?? [])];
}

/** Prevents real printing. */
function printNothing(): void {
  const mute = ({ target }: Event) => {
    if (target instanceof HTMLIFrameElement && target.dataset.print && target.contentWindow)
      target.contentWindow.print = noop;
  };
  document.addEventListener('load', mute, true);
  onTestFinished(() => {
    document.removeEventListener('load', mute, true);
    document.querySelector('iframe[data-print]')?.remove();
  });
}

test('shows and prints every text of a narrative, as an XML parser finds them', async () => {
  await startServer();
  printNothing();
  const narratives = Object.values(corpus);
  const screenView = await show(<View narratives={narratives} />);
  await expect.poll(() => onScreen().length).toBe(narratives.length);
  await screenView.rerender(<View narratives={narratives} prints={1} />);
  await expect.poll(() => onPaper().length).toBe(narratives.length);
  const [screen, paper] = [onScreen(), onPaper()];
  for (const [index, [name, narrative]] of Object.entries(corpus).entries()) {
    const expectedTexts = textsOf(narrative);
    expect(expectedTexts.length, name).toBeGreaterThan(0);
    expect(textsWithin(screen[index] ?? document), `${name} on the screen`).toEqual(expectedTexts);
    expect(textsWithin(paper[index] ?? document), `${name} on paper`).toEqual(expectedTexts);
    expect(readMarkup(narrative).fault, name).toBeUndefined();
    for (const expectedText of expectedTexts)
      expect(removeSpaces(screen[index]?.innerText), name).toContain(removeSpaces(expectedText));
  }
  await expect.element(region).not.toMatchTextContent(text.narrative.cut);
  await expect.element(region).not.toMatchTextContent(text.narrative.malformed);
});

/** Rendered text has other white space than the markup. */
function removeSpaces(words = ''): string {
  return words.replaceAll(/\s/g, '');
}

test('shows nothing after a self-closed element in bold or as a link', async () => {
  await startServer();
  await show(<View narratives={[corpus['self-closed elements']]} />);
  await expect.poll(() => onScreen()[0]?.textContent).toContain('Not bold');
  const [firstNarrative] = onScreen();
  for (const element of firstNarrative?.querySelectorAll('b, i, pre, span, a') ?? [])
    expect(element.textContent).toBe('');
});

test('shows the same text in the summary, or reports a problem', () => {
  for (const [name, narrative] of Object.entries(corpus)) {
    const { markup, flaw } = safeMarkup(narrative);
    const reparsed = new DOMParser().parseFromString(markup, 'text/html').body;
    if (flaw === undefined)
      expect(removeSpaces(reparsed.textContent), name).toBe(removeSpaces(textsOf(narrative).join('')));
  }
  expect(safeMarkup(corpus['text between rows']).flaw).toBe('cut');
  expect(safeMarkup(corpus.section).flaw).toBeUndefined();
});

test.each([
  ['an element that FHIR does not allow', div('<section>A</section><section>B</section>'), 'cut', ['A', 'B']],
  ['an element of another namespace', div('<p xmlns="urn:x">A</p>b'), 'cut', ['A', 'b']],
  [
    'an image that would be loaded',
    div('<p>a</p><img src="http://planted.invalid/a.png" alt="Rash"/>'),
    'cut',
    ['a', 'Rash'],
  ],
  ['a drawing', div('<svg xmlns="http://www.w3.org/2000/svg"><text>3.1</text></svg>b'), 'cut', ['3.1', 'b']],
  ['code', div('<script>planted()</script>a'), 'cut', ['a']],
  [
    'more levels than are drawn',
    div(`${'<span>'.repeat(5000)}a${'</span>b'.repeat(5000)}`),
    'cut',
    undefined,
  ],
  ['an element that is not closed', div('<p>a<br>b <![CDATA[c < d]]></p>'), 'malformed', ['a', 'b c < d']],
  ['an undeclared prefix', '<div><h:p>a</h:p></div>', 'malformed', undefined],
] as const)(
  'reports that a narrative with %s is incomplete and shows the rest',
  async (_, narrative, flaw, texts) => {
    const result = readNarrative(narrative);
    expect(result.flaw).toBe(flaw);
    // The validation rules report it as well.
    expect(
      readMarkup(narrative).fault !== undefined || narrative.includes('<img') || narrative.includes('<span>'),
    ).toBe(true);
    if (texts) expect(textsWithin(result.nodes)).toEqual(texts);
    expect(result.nodes.textContent).toContain('a'.repeat(texts === undefined ? 1 : 0));
    await startServer();
    await show(<View narratives={[narrative]} />);
    await expect.element(region).toMatchTextContent(text.narrative[flaw]);
    await expect.element(page.getByRole('button', { name: text.narrative.readJson })).toBeVisible();
  },
);

test.each(Object.entries(hostile))(
  'keeps only elements that FHIR allows of %s, read as XHTML or HTML',
  (name, markup) => {
    const { nodes, flaw } = readNarrative(div(markup));
    expect(nodes.textContent).toContain('kept');
    if (flaw !== undefined && name !== 'depth') expect(readMarkup(div(markup)).fault).toBeDefined();
    for (const element of nodes.querySelectorAll('*')) {
      expect(narrativeElements).toContain(element.localName);
      expect(element.namespaceURI).toBe(xhtml);
      for (const { name, value } of element.attributes)
        expect(`${name}=${value}`).not.toMatch(/^(?:on|href|cite|longdesc)|planted|^src=(?!data:image\/png)/);
    }
  },
);

test.for(['Composition', 'CarePlan'])(
  'shows every text of every narrative of every real %s',
  async (type, { skip }) => {
    const records = await commands.realRecords(type, true);
    if (records.length === 0) skip('not run: the real records are not on this machine');
    let count = 0;
    for (const { name, text: record } of records) {
      for (const narrative of divsIn(JSON.parse(record))) {
        count += 1;
        const { nodes, flaw } = readNarrative(narrative);
        if (flaw === 'malformed') expect(() => textsOf(narrative), name).toThrow();
        else expect(textsWithin(nodes), name).toEqual(textsOf(narrative));
        const { markup, flaw: summaryFlaw } = safeMarkup(narrative);
        const reparsed = new DOMParser().parseFromString(markup, 'text/html').body;
        if (summaryFlaw === undefined)
          expect(removeSpaces(reparsed.textContent), name).toBe(removeSpaces(textsOf(narrative).join('')));
        expect([flaw, summaryFlaw], name).toEqual([undefined, undefined]);
      }
    }
    expect(count).toBeGreaterThan(records.length / 2);
  },
);

test.for(['Composition', 'CarePlan'])(
  'prints every text of every narrative of every real %s, or of one in ten',
  async (type, { skip }) => {
    const records = await commands.realRecords(type);
    if (records.length === 0) skip('not run: the real records are not on this machine');
    await startServer();
    printNothing();
    const view = await show(<Reading record={records[0]?.text ?? ''} />);
    for (const { name, text: record } of records) {
      const expectedNarratives = narrativesIn(JSON.parse(record));
      await view.rerender(<Reading key={name} record={record} />);
      await expect.poll(() => onScreen().length, { message: name }).toBe(expectedNarratives.length);
      await view.rerender(<Reading key={name} record={record} prints={1} />);
      const byPointer = () =>
        onPaper().map((narrative) => [narrative.dataset.pointer ?? '', textsWithin(narrative)] as const);
      await expect
        .poll(byPointer, { message: name })
        .toEqual(expectedNarratives.map((expected) => [expected.pointer, textsOf(expected.xhtml)]));
    }
  },
);

/** Returns every narrative of a record, including contained resources. */
function divsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'div' && typeof member === 'string' ? [member] : divsIn(member),
  );
}
