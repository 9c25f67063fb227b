/** The page's features that the definition of a resource type provides, for each type. */
import { definitionOf, resourceTypes } from '../core/fhir/resource.ts';
import { sampleOf } from '../core/types/testing/samples.ts';
import { EditorPage } from './editor-page.ts';
import { expect, test } from './fixtures.ts';
import { SearchPage } from './search-page.ts';

for (const type of resourceTypes) {
  const { summed, statuses, parameters } = sampleOf(type);
  const { row } = summed;
  const expectedParameters = parameters.split(' ');

  test(`${type}: shows a record in the grid and as a summary, and completes its text in the editor @read`, async ({
    page,
    workbench,
    server,
  }) => {
    const created = await fetch(`${server.origin}/fhir-r4/v1/${type}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(summed.record),
    });
    expect(created.status).toBe(201);

    const search = new SearchPage(page);
    await search.form.getByRole('combobox', { name: 'Resource type' }).selectOption(type);
    await search.form.getByRole('textbox', { name: 'Patient' }).fill('sample');
    const encounter = search.form.getByRole('textbox', { name: 'Encounter' });
    await expect(encounter).toHaveCount(expectedParameters.includes('encounter') ? 1 : 0);
    const status = Object.entries(definitionOf(type).sort).find(([, value]) => value === 'status')?.[0] ?? '';
    await search.form.getByRole('button', { name: 'Add parameter', exact: true }).click();
    const name = search.parameter(1).getByRole('combobox', { name: 'Name' });
    await expect(name).toHaveValue(status);
    const names = await name
      .getByRole('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
    const subjectParameters = ['subject', 'patient', 'encounter'];
    expect(names).toEqual(
      expect.arrayContaining(
        expectedParameters.filter((parameterName) => !subjectParameters.includes(parameterName)),
      ),
    );
    await search.parameter(1).getByRole('combobox', { name: 'Value' }).selectOption({ label: row.status });
    await search.submit.click();
    await expect(workbench.rows()).toHaveCount(1);
    expect(await search.column('Status')).toEqual([row.status]);
    expect(await search.column('Title')).toEqual([row.title]);
    expect((await search.column('Date'))[0]).toContain(row.date);

    await workbench.openRow(workbench.rows(row.title));
    const editor = new EditorPage(page, workbench);
    await editor.openSummary();
    await expect(editor.summary.getByRole('definition').first()).toHaveText(row.status);
    await editor.cursorBehind(`"${definitionOf(type).summary.status}": "`);
    await page.keyboard.press('Control+Delete');
    await page.keyboard.press('Control+Space');
    for (const code of statuses) {
      await expect(
        editor.suggestions.getByRole('option', { name: new RegExp(`^${code}\\b`) }).first(),
      ).toBeVisible();
    }
  });
}
