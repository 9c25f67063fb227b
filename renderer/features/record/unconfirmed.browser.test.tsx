import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { loadMonaco } from '../../platform/monaco-loader.ts';
import { intercept } from '../../testing/answers.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import {
  overwrite,
  patchAsOtherClient,
  record,
  RecordHost,
  storedPlan,
  storePlan,
} from './testing/record-host.tsx';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

const { editor, review, sheet, tab } = record;
const save = sheet.getByRole('button', { name: text.review.save, exact: true });
const methods = ['PUT', 'PATCH'] as const;

/** Loses the connection at the first write, before or after the server has received it. */
function loseConnection(method: string, isReceived: boolean): void {
  let isLost = false;
  intercept(async (request, pass) => {
    if (isLost || !request.startsWith(`${method} /fhir-r4/v1/CarePlan/`)) return pass();
    isLost = true;
    if (isReceived) await pass();
    throw new TypeError('Failed to fetch');
  });
}

/** Replaces the title of a plan, saves it without a response and compares the versions. */
async function saveUnconfirmed(
  method: (typeof methods)[number],
  isReceived: boolean,
  beforeCompare?: (id: string) => Promise<void>,
): Promise<string> {
  const id = await storePlan('Alpha');
  await show(<RecordHost ids={[id]} />);
  await overwrite('Alpha', 'Mine');
  await review.click();
  await sheet.getByRole('radio', { name: method, exact: true }).click();
  loseConnection(method, isReceived);
  await save.click();
  await expect.element(sheet).toMatchTextContent(text.review.unconfirmedTitle);
  await expect.element(save).toBeDisabled();
  await beforeCompare?.(id);
  await sheet.getByRole('button', { name: text.review.reread }).click();
  return id;
}

test.each(methods)('reports a %s that arrived as saved', async (method) => {
  const id = await saveUnconfirmed(method, true);
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(page.getByText(text.record.saved(2))).toBeInTheDocument();
  await expect.element(editor).toMatchTextContent('"versionId": "2"');
  expect(await storedPlan(id)).toMatch(/"versionId":"2".*"title":"Mine"/);
});

test.each(methods)('reports a %s that never arrived as not saved, and sends it again', async (method) => {
  const id = await saveUnconfirmed(method, false);
  await expect.element(sheet).toMatchTextContent(text.review.notArrived(1));
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  await expect.element(page.getByText(text.record.saved(1))).not.toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"1".*"title":"Alpha"/);
  await save.click();
  await expect.element(page.getByText(text.record.saved(2))).toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"2".*"title":"Mine"/);
});

test('merges a save that never arrived into a version that another client saved', async () => {
  const id = await saveUnconfirmed('PUT', false, (planId) =>
    patchAsOtherClient(planId, { description: 'Theirs' }),
  );
  await expect.element(sheet).toMatchTextContent(text.conflict.found(2, 'owner'));
  await expect.element(tab('Alpha')).toMatchTextContent('unsaved');
  await save.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(await storedPlan(id)).toMatch(/"versionId":"3".*"title":"Mine".*"description":"Theirs"/);
});
