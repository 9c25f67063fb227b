import { test } from 'vitest';

test.skip('component tests (not run without Chromium)');
