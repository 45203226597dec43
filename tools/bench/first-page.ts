import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findBrowser, sentBytes } from '../e2e/support/browser.ts';
import { startProduct } from './firm.ts';
import { table } from './tables.ts';

/** Cost of the sign-in page for a browser without a cache. */
export type FirstPage = {
  /** Bytes on the wire, headers included, by kind of resource. */
  sent: Record<string, number>;
  total: number;
  /** Milliseconds until the largest part is painted, the median of the visits. */
  largestPaint: number;
};

const VISITS = 5;
/** Bytes a second, and milliseconds of a round trip: what Lighthouse calls slow 4G. */
const SLOW_4G = { downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 150 };
const SLOWER_PROCESSOR = 4;

/** Opens the sign-in page in Chromium on slow 4G, with a processor four times slower. */
async function measureFirstPage(port: number): Promise<FirstPage> {
  const browser = await chromium.launch(await findBrowser());
  const visits: Visit[] = [];
  try {
    for (let count = 0; count < VISITS; count += 1) {
      const context = await browser.newContext();
      visits.push(await visit(await context.newPage(), `http://127.0.0.1:${port}/`));
      await context.close();
    }
  } finally {
    await browser.close();
  }
  const sent = visits[0]?.sent ?? {};
  const total = Object.values(sent).reduce((sum, size) => sum + size, 0);
  const paints = visits.map(({ paint }) => paint).toSorted((a, b) => a - b);
  return { sent, total, largestPaint: paints[Math.floor(VISITS / 2)] ?? 0 };
}

/** The findings as a Markdown table. */
export function describeFirstPage({ sent, total, largestPaint }: FirstPage): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const paint = `largest paint, median of ${VISITS}, slow 4G, processor slowed ${SLOWER_PROCESSOR} times`;
  const rows = Object.entries(sent).map(([kind, bytes]) => [kind, kilobytes(bytes)]);
  const rest = [
    ['all', kilobytes(total)],
    [paint, `${largestPaint.toFixed(0)} ms`],
  ];
  return table(['first page, as sent', 'found'], [...rows, ...rest]);
}

type Visit = { sent: Record<string, number>; paint: number };

async function visit(page: Page, url: string): Promise<Visit> {
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await line.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR });
  const sent = sentBytes(line);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Login' }).waitFor();
  return { sent, paint: await page.evaluate(largestPaint) };
}

/** In the page. */
function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
  });
}

/** Milliseconds of the start in an empty directory, and the first page while nothing else runs. */
export async function measureFirstStart(): Promise<{ empty: number; firstPage: FirstPage }> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-bench-empty-'));
  try {
    const product = await startProduct(dataDir);
    try {
      return { empty: product.startedIn, firstPage: await measureFirstPage(product.port) };
    } finally {
      await product.stop();
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}
