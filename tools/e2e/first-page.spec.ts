import { expect, type Page } from '@playwright/test';
import { sentBytes } from './support/browser.ts';
import { test } from './support/fixtures.ts';

const MAX_FIRST_PAGE = 150_000;
const BRAND = ['Inter Variable', 'Source Serif 4 Variable'];

function loadedFonts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family }) => family.replaceAll('"', ''))
      .toSorted(),
  );
}

test('the server sends at most 150 kB for the first page, with its headers and without the fonts', async ({
  page,
}) => {
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  const sent = sentBytes(line);
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(sent).not.toHaveProperty('Font');
  expect(Object.values(sent).reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_FIRST_PAGE);
});

test('the server shows pages behind the sign-in in the product’s fonts, loaded before they are needed', async ({
  page,
  matterdesk,
}) => {
  await matterdesk.signIn(page, await matterdesk.register());
  await page.goto('/dashboard');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect.poll(() => loadedFonts(page)).toEqual(BRAND);
  const initiators = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.woff2'))
      .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
  );
  expect(initiators).toEqual(['link', 'link']);
});

for (const [path, heading] of [
  ['/register', 'Register'],
  ['/forgot-password', 'Forgot password?'],
  ['/reset-password/unknown', 'Set a new password'],
] as const)
  test(`the server shows ${path} in the product’s fonts before a sign-in`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expect.poll(() => loadedFonts(page)).toEqual(BRAND);
  });

test('the server shows the licenses of what the pages contain, and loads them only then', async ({
  page,
  context,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(loaded.join('\n')).not.toContain('notices');
  const [notices] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Third-party notices' }).click(),
  ]);
  const text = notices.locator('body');
  await expect(text).toContainText(/^Third-party notices/);
  // A package, a font, a decoder inside of a package, and a package inside of another's file.
  await expect(text).toContainText(/react-dom \d+\.\d+\.\d+ \(MIT\)\s+MIT License\s+Copyright/);
  await expect(text).toContainText('@fontsource-variable/inter');
  await expect(text).toContainText('SIL OPEN FONT LICENSE');
  await expect(text).toContainText('wasm/LICENSE_OPENJPEG');
  await expect(text).toContainText(/pako \d/);
});
