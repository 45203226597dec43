import { defineConfig } from '@playwright/test';
import { browserArguments, findBrowser } from './support/browser.ts';

const { executablePath, env } = await findBrowser();

/**
 * Specs run on the desktop. One tagged `@phone` runs on the phone instead, one tagged `@both` on both.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  workers: 2,
  forbidOnly: process.env['CI'] === 'true',
  timeout: 30_000,
  reporter: 'list',
  use: {
    launchOptions: { executablePath, env, args: browserArguments },
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    // West of Greenwich, where a date that is taken for a moment shows the day before.
    timezoneId: 'America/New_York',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
  projects: [
    { name: 'desktop', grepInvert: /@phone/, use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      grep: /@phone|@both/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
  ],
});
