// Journeys in a real browser.

import { defineConfig } from '@playwright/test';
import { LONG } from '../checks/run.ts';
import { findBrowser } from './support/browser.ts';
import { ZONE } from './support/days.ts';

const isCi = process.env['CI'] === 'true';

export default defineConfig({
  testDir: '.',
  testIgnore: process.env[LONG] ? [] : ['**/*.long.spec.ts'],
  outputDir: '../../test-results',
  globalSetup: './support/template.ts',
  // One more than CI has cores, since pages wait for the server now and then.
  workers: 3,
  fullyParallel: true,
  forbidOnly: isCi,
  // In CI a test that passes on its second try is reported as flaky, with its trace.
  retries: isCi ? 1 : 0,
  timeout: 180_000,
  // Allowance for a busy machine, not an expected duration.
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    launchOptions: await findBrowser(),
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    // West of Greenwich, where dates parsed as instants show the previous day.
    timezoneId: ZONE,
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
});
