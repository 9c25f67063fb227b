import { packTar } from 'modern-tar';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { PackageSection } from './package-part.tsx';
import { sayOfPackages } from './package-run.ts';

const messages = text.packages;

beforeEach(async () => {
  sayOfPackages(undefined);
  await startServer();
});

const url = 'https://ward.example/StructureDefinition/ward-plan';
const profile = {
  resourceType: 'StructureDefinition',
  url,
  version: '1.2.0',
  title: 'Ward plan',
  status: 'active',
  kind: 'resource',
  abstract: false,
  type: 'CarePlan',
  derivation: 'constraint',
  baseDefinition: 'http://hl7.org/fhir/StructureDefinition/CarePlan',
  snapshot: {
    element: [
      { id: 'CarePlan', path: 'CarePlan' },
      {
        id: 'CarePlan.category',
        path: 'CarePlan.category',
        binding: { strength: 'required', valueSet: 'http://snomed.info/sct?fhir_vs' },
      },
    ],
  },
};
const manifest = {
  name: 'ward.plans',
  version: '1.2.0',
  title: 'Plans of the ward',
  fhirVersions: ['4.0.1'],
};
const dependencies = { 'hl7.terminology.r4': '5.0.0' };

async function archive(): Promise<Blob> {
  const files = { 'package/package.json': { ...manifest, dependencies }, 'package/plan.json': profile };
  const entries = Object.entries(files).map(([name, content]) => {
    const body = JSON.stringify(content);
    return { header: { name, size: body.length }, body };
  });
  const tar = new Blob([await packTar(entries)]);
  return new Response(tar.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const table = page.getByRole('table', { name: messages.table });
const choice = page.getByLabelText(messages.judgeBy.of('CarePlan'));
const file = async (name = 'plans.tgz') => new File([await archive()], name);
/** The first input selects files, the second a folder. */
const choose = async (...files: File[]) => {
  await expect.element(button(messages.chooseFiles)).toBeVisible();
  await userEvent.upload(document.querySelectorAll('input')[0] as HTMLElement, files);
};

test('explains packages while none is installed', async () => {
  await show(<PackageSection />);
  await expect.element(page.getByText(messages.empty)).toBeVisible();
  await expect.element(table).not.toBeInTheDocument();
});

test('adds a package, lists missing dependencies, applies it to a type and removes it', async () => {
  await show(<PackageSection />);
  await choose(await file(), new File(['hello'], 'broken.tgz'));
  await expect.element(page.getByText(messages.added('ward.plans', '1.2.0'))).toBeVisible();
  await expect.element(page.getByText(/^Couldn’t add broken\.tgz\. Not a valid tar archive/)).toBeVisible();
  await expect.element(table.getByRole('row').nth(1)).toMatchTextContent(/^Plans of the ward/);
  await expect.element(table.getByText('hl7.terminology.r4 5.0.0: not installed')).toBeVisible();
  await expect
    .element(table.getByText(messages.lacks('Ward plan', ['http://snomed.info/sct?fhir_vs'])))
    .toBeVisible();

  await choice.selectOptions('Ward plan 1.2.0');
  await expect
    .poll(async () => (await (await send('GET', '/app/preferences')).json()).profiles)
    .toEqual({ CarePlan: `${url}|1.2.0` });

  await button(messages.removeOf('ward.plans-1.2.0.tgz')).click();
  await expect.element(page.getByText(messages.question.chosen(['CarePlan']))).toBeVisible();
  await button(messages.question.keep).click();
  await expect.element(table).toBeVisible();
  await button(messages.removeOf('ward.plans-1.2.0.tgz')).click();
  await button(messages.question.confirm).click();
  await expect.element(page.getByText(messages.empty)).toBeVisible();
  // The selection stays and reports that the package is missing.
  await expect.element(page.getByText(messages.judgeBy.notHere('CarePlan'))).toBeVisible();
  await choice.selectOptions(messages.judgeBy.claimed);
  await expect.element(page.getByText(messages.judgeBy.notHere('CarePlan'))).not.toBeInTheDocument();
});

test('offers no folder check for shared packages and names all servers before a removal', async () => {
  const rejectedPackage = { file: 'ward.plans-1.2.0.tgz', state: 'refused', problem: 'It is damaged.' };
  answerWith({ 'GET /app/packages': () => ({ packages: [rejectedPackage] }) });
  await show(<PackageSection />);
  await button(messages.removeOf(rejectedPackage.file)).click();
  await expect.element(page.getByText(messages.question.shared(rejectedPackage.file))).toBeVisible();
  await expect.element(button(messages.chooseFiles)).toBeInTheDocument();
  await expect.element(button(messages.look)).not.toBeInTheDocument();
});

test('reports a selection without a package', async () => {
  await show(<PackageSection />);
  await choose(new File(['{}'], 'record.json'));
  await expect.element(page.getByText(messages.noPackage)).toBeVisible();
});
