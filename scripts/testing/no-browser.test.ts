import { test } from 'vitest';

test.skip('component tests (not run where there is no Chromium)');
