import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Issue } from '../../../../core/fhir/text-validation.ts';
import { show, startServer } from '../../../testing/show.tsx';
import { FixMenu } from './fix-menu.tsx';

beforeEach(startServer);

const issue = (rule: string, expression: string, pointer?: string): Issue => ({
  severity: 'error',
  category: 'conformance',
  rule,
  text: 'It is wrong.',
  expression,
  start: 0,
  end: 1,
  ...(pointer !== undefined && { pointer }),
});

test('offers fixes if the rule has a fix and the element is known', async () => {
  await show(
    <>
      <FixMenu modelPath="a" issue={issue('schema-code', 'CarePlan.status', '/status')} />
      <FixMenu modelPath="a" issue={issue('check-1', 'CarePlan.title', '/title')} />
      <FixMenu modelPath="a" issue={issue('schema-code', 'CarePlan.intent')} />
    </>,
  );
  await expect.element(page.getByRole('button')).toHaveAccessibleName(/CarePlan\.status/);
});
