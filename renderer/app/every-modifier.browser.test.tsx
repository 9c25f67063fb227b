import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cardOf } from '../../core/fhir/card/card.ts';
import { modifiedSamples } from '../../core/fhir/modifiers/testing/every-modifier.ts';
import { stringMember } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { PatientView } from '../features/patient/patient-view.tsx';
import { ReadingView } from '../features/reading/reading-view.tsx';
import { SummaryPane } from '../features/record/inspector/summary-pane.tsx';
import { SearchView } from '../features/search/search-view.tsx';
import { useSearch } from '../features/search/use-search.ts';
import { CommandsContext } from '../platform/commands.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { Palette } from './palette.tsx';
import { RowPreview } from './row-preview.tsx';
import { initialTabs } from './tabs-state.ts';
import { useCommands } from './use-commands.ts';

beforeEach(startServer);

const noop = (): void => undefined;
const samples = modifiedSamples();
const names = samples.map(({ name }) => name);
const references = samples.map(({ resource }) => ({ reference: `#${String(resource.id)}` }));

/** Returns an activity that must not be performed, with an optional time. */
const createProhibition = (name: string, time: object = {}) => ({
  detail: { status: 'in-progress', doNotPerform: true, code: { text: name }, ...time },
});

/** Refers to each modified resource as activity, goal, condition and supporting information. */
const plan = JSON.stringify({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { display: 'Ada Example' },
  period: { start: '2026-01-01', end: '2026-12-31' },
  contained: samples.map(({ resource }) => resource),
  goal: references,
  addresses: references,
  supportingInfo: references,
  activity: [
    createProhibition('Run', { scheduledPeriod: { start: '2026-02-01', end: '2026-05-01' } }),
    createProhibition('Swim'),
    ...references.map((reference) => ({ reference })),
  ],
});

/** Refers to each modified resource in a section. */
const document = JSON.stringify({
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'Letter' },
  title: 'Letter',
  contained: samples.map(({ resource }) => resource),
  section: [
    { title: 'All', entry: references },
    { title: 'Allergies', emptyReason: { coding: [{ code: 'nilknown' }] } },
    { title: 'Odd', modifierExtension: [{ url: 'http://x.test/not' }] },
  ],
});

function Reading({ record, prints }: { readonly record: string; readonly prints: number }) {
  const { resourceType } = JSON.parse(record) as { resourceType: string };
  return (
    <div style={{ height: 700, display: 'flex' }}>
      <ReadingView
        modelPath="chartkeeper:/a"
        type={resourceType}
        text={record}
        prints={prints}
        issues={[]}
        cursor=""
        onReveal={noop}
        onGo={noop}
        onFollow={noop}
      />
    </div>
  );
}

/** Returns the trimmed texts of the matching elements. */
const listTexts = (container: ParentNode | null | undefined, selector: string): string[] =>
  [...(container?.querySelectorAll(selector) ?? [])].map((element) => element.textContent.trim());

/** Returns the body of the printed page. */
const getPrintedPage = () =>
  window.document.querySelector<HTMLIFrameElement>('iframe[data-print]')?.contentDocument?.body;

const region = page.getByRole('region', { name: text.reading.name });

test('names every modified resource of a plan with its modifier in the reading view and print', async () => {
  const { rerender } = await show(<Reading record={plan} prints={0} />);
  const view = region.element();
  const findSection = (title: string, container: ParentNode | undefined = view) =>
    container.querySelector(`section[aria-label="${title}"]`);
  await expect.poll(() => listTexts(findSection(text.reading.conditions), 'li')).toEqual(names);
  expect(listTexts(findSection(text.reading.goals), 'strong [data-pointer], li strong')).toEqual(
    expect.arrayContaining(names),
  );
  const activities = findSection(text.reading.activities(names.length + 2));
  expect(listTexts(activities, 'tbody th')).toEqual(['Do NOT: Run', 'Do NOT: Swim', ...names]);
  expect(listTexts(view, 'dl dd')).toEqual(expect.arrayContaining(names));

  // A bar, its table row for screen readers, and an activity without time below the bars.
  const figure = region.getByRole('figure', { name: text.timeline.name });
  await expect.element(figure.getByRole('button', { name: /^Do NOT: Run, in-progress/ })).toBeVisible();
  expect(listTexts(figure.element(), 'table td')).toContain('Do NOT: Run');
  await expect.element(figure.getByRole('button', { name: 'Do NOT: Swim' })).toBeVisible();
  expect(figure.element().querySelector('[data-tone="good"]')).toBeNull();

  await rerender(<Reading record={plan} prints={1} />);
  await expect
    .poll(() => listTexts(findSection(text.reading.conditions, getPrintedPage()), 'li'))
    .toEqual(names);
  const inTable = listTexts(
    findSection(text.reading.activities(names.length + 2), getPrintedPage()),
    'tbody th',
  );
  expect(inTable).toEqual(['Do NOT: Run', 'Do NOT: Swim', ...names]);
  // A space separates the name from the status.
  expect(getPrintedPage()?.querySelector('figure')?.textContent).toContain('Do NOT: Swim in-progress');
});

test('names every modified resource of a document, and the reason of an empty section', async () => {
  const { rerender } = await show(<Reading record={document} prints={0} />);
  const section = (title: string) => region.getByRole('region', { name: title, exact: true });
  const allEntries = section('All').getByRole('button', { name: text.reading.allEntries(names.length) });
  await expect.element(allEntries).toBeVisible();
  (allEntries.element() as HTMLElement).click();
  const listEntries = (container: ParentNode | undefined) =>
    listTexts(container?.querySelector('section[aria-label="All"]'), '[data-pointer*="/entry/"]');
  await expect.poll(() => listEntries(region.element())).toEqual(names);
  await expect.element(section('Allergies')).toMatchTextContent('Empty: Nil known');
  // The list of sections has no room in a narrow window.
  expect(region.element().querySelector('nav')?.textContent).toContain('Nil known');
  expect(listTexts(region.element(), 'h3')).toContain('Has a modifier that changes its meaning: Odd empty');
  await rerender(<Reading record={document} prints={1} />);
  await expect.poll(() => listEntries(getPrintedPage())).toEqual(names);
  expect(getPrintedPage()?.textContent).toContain('Allergies empty');
  expect(getPrintedPage()?.textContent).toContain('Empty: Nil known');
});

test('names every modified resource with its modifier in the summary', async () => {
  const card = cardOf(scan(plan).root, '2026-03-01');
  await show(<SummaryPane card={card} faultLine={undefined} onFollow={noop} onReveal={noop} />);
  const summary = page.getByRole('region', { name: text.summary.name }).element();
  // A literal follows the name of a goal, and a status follows the name of an activity.
  expect(listTexts(summary, 'li > button')).toEqual(['Do NOT: Run', 'Do NOT: Swim', ...names]);
  for (const name of names) {
    expect(
      listTexts(summary, 'dd > div').some((itemText) => itemText.startsWith(name)),
      name,
    ).toBe(true);
    expect(
      listTexts(summary, 'li > span').some((itemText) => itemText.startsWith(name)),
      name,
    ).toBe(true);
  }
  expect(summary.querySelector('li [data-tone="good"]')).toBeNull();
});

const patient = 'p-17';

/** Stores valid plans and returns their ids. The first has no title, only a prohibited activity. */
async function storePlans(): Promise<readonly string[]> {
  const base = { resourceType: 'CarePlan', intent: 'plan', subject: { reference: `Patient/${patient}` } };
  const period = { start: '2026-01-01', end: '2026-12-31' };
  const ids: string[] = [];
  for (const members of [
    { status: 'active', activity: [createProhibition('Run')], period },
    { status: 'entered-in-error', title: 'Walk', period },
    {
      status: 'active',
      title: 'Rest',
      period,
      modifierExtension: [{ url: 'http://x.test/not', valueBoolean: true }],
    },
  ]) {
    const response = await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify({ ...base, ...members }));
    ids.push(stringMember(scan(await response.text()).root, 'id') ?? '');
  }
  return ids;
}
const titles = ['Do NOT: Run', 'Entered in error: Walk', 'Has a modifier that changes its meaning: Rest'];

function Find() {
  const search = useSearch();
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: 1400, height: 600 }}>
      <SearchView search={search} isActive onFront={noop} />
    </div>
  );
}

test('names negated records in the search results and their CSV file', async () => {
  await storePlans();
  await show(<Find />);
  await userEvent.click(page.getByRole('button', { name: text.search.submit, exact: true }));
  for (const title of titles) {
    await expect.element(page.getByRole('gridcell', { name: title, exact: true })).toBeVisible();
  }
  const savedFiles: Blob[] = [];
  const createObjectURL = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (content: Blob) => {
    savedFiles.push(content);
    return createObjectURL(new Blob());
  };
  onTestFinished(() => {
    URL.createObjectURL = createObjectURL;
  });
  await userEvent.click(page.getByRole('button', { name: text.export.name, exact: true }));
  await userEvent.click(page.getByRole('menuitem', { name: text.export.formats.csv }));
  await expect.poll(() => savedFiles.length).toBe(1);
  const [header = '', ...rows] = ((await savedFiles[0]?.text()) ?? '').split('\r\n');
  expect(header.split(',').at(-1)).toBe('doNotPerform');
  for (const title of titles)
    expect(
      rows.some((row) => row.includes(`,${title},`)),
      title,
    ).toBe(true);
  expect(rows.filter((row) => row.endsWith(',Do NOT: Run'))).toHaveLength(1);
});

test('names negated records on the patient page', async () => {
  await storePlans();
  await show(<PatientView patient={{ id: patient, name: '' }} isActive />);
  const view = page.getByRole('region', { name: text.patient.region });
  const table = view.getByRole('table', { name: text.patient.records });
  for (const title of titles) {
    await expect.element(table.getByRole('rowheader', { name: title, exact: true })).toBeVisible();
    await expect.element(view.getByRole('button', { name: new RegExp(`^${title},`) })).toBeVisible();
  }
});

test('names a negated activity in the row preview', async () => {
  const [id = ''] = await storePlans();
  await show(<RowPreview record={{ type: 'CarePlan', id, title: '' }} version="1" />);
  await expect.element(page.getByRole('button', { name: 'Do NOT: Run', exact: true })).toBeVisible();
});

function Finder() {
  return (
    <CommandsContext value={useCommands(noop)}>
      <Palette tabs={initialTabs} onActivate={noop} />
    </CommandsContext>
  );
}

test.each([
  ['run', 'Do NOT: Run'],
  ['walk', 'Entered in error: Walk'],
  ['rest', 'Has a modifier that changes its meaning: Rest'],
])('finds %s as %s in the finder', async (query, title) => {
  await storePlans();
  await show(<Finder />);
  await userEvent.keyboard('{Control>}p{/Control}');
  await userEvent.keyboard(query);
  await expect.element(page.getByRole('option', { name: new RegExp(`^${title}`) })).toBeVisible();
});

test('names related resources with their modifier in references and cards', async () => {
  const related = [
    {
      resourceType: 'Condition',
      id: 'c',
      code: { text: 'Asthma' },
      subject: { reference: 'Patient/p' },
      verificationStatus: { coding: [{ code: 'refuted' }] },
    },
    {
      resourceType: 'ServiceRequest',
      id: 's',
      status: 'active',
      intent: 'order',
      subject: { reference: 'Patient/p' },
      doNotPerform: true,
      code: { text: 'Lift weights' },
    },
  ];
  const entry = related.map((resource) => ({
    fullUrl: `http://x.test/${resource.resourceType}/${resource.id}`,
    resource,
  }));
  await send('POST', '/app/import', JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
  const record = JSON.stringify({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    addresses: [{ reference: 'Condition/c', display: 'Chest' }],
    activity: [{ reference: { reference: 'ServiceRequest/s' } }],
  });
  const card = cardOf(scan(record).root, '2026-03-01');
  await show(
    <>
      <SummaryPane card={card} faultLine={undefined} onFollow={noop} onReveal={noop} />
      <Reading record={record} prints={0} />
    </>,
  );
  const summary = page.getByRole('region', { name: text.summary.name });
  await expect.element(summary.getByRole('button', { name: 'Do NOT: Lift weights' })).toBeVisible();
  await expect.element(summary.getByText('Refuted:')).toBeVisible();
  const figure = region.getByRole('figure', { name: text.timeline.name });
  await expect.element(figure.getByRole('button', { name: 'Do NOT: Lift weights' })).toBeVisible();
  const conditions = region.getByRole('region', { name: text.reading.conditions });
  const chest = conditions.getByRole('button', { name: 'Refuted: Chest' });
  await expect.element(chest).toBeVisible();
  (chest.element() as HTMLElement).click();
  await expect
    .element(page.getByRole('dialog').getByRole('heading', { name: 'Refuted: Asthma' }))
    .toBeVisible();
});
