import os from 'node:os';
import { receiveTask, send } from '../confinement/task.ts';
import type { DocumentKind } from './kinds.ts';
import type { Message, Order, Page } from './messages.ts';
import { PictureReader } from './ocr.ts';
import { openDocument, type Reading } from './open.ts';
import { dividePages } from './passages.ts';
import { LONGEST_TEXT } from './pageless.ts';
import { reasons, Unreadable } from './unreadable.ts';

// Runs in a confined process, which the parent may kill at any time: nothing here is trusted to end,
// and nothing of the parent is reachable.

/** Lower priority than requests of users. */
const NICE = 10;

function say(message: Message): Promise<void> {
  return send(JSON.stringify(message));
}

async function extract(order: Extract<Order, { task: 'extract' }>, bytes: Buffer): Promise<void> {
  const reader = new PictureReader();
  const note = (text: string) => void say({ type: 'note', text });
  const alive = () => say({ type: 'alive' });
  const document = await openDocument(order.kind as DocumentKind, bytes, { reader, note, alive });
  const { count } = document;
  await say({ type: 'begin', pages: count });
  let length = 0;
  for (let number = order.from; number <= count; number += 1) {
    const page = length > LONGEST_TEXT ? empty(number) : await readPage(number, document);
    length += page.text.length;
    await say({ type: 'page', page });
  }
  if (length > LONGEST_TEXT) note('The file is very long. Its last pages were skipped.');
  await document.close?.();
}

/** An unreadable page costs that page only. */
async function readPage(number: number, { count, read }: Reading): Promise<Page> {
  try {
    return await read(number);
  } catch (error) {
    if (count === 1) throw error;
    await say({
      type: 'note',
      text: `Page ${number} could not be read${error instanceof Unreadable ? `: ${error.message}` : '.'}`,
    });
    return empty(number);
  }
}

function empty(page: number): Page {
  return { page, text: '', marks: [], isScanned: false };
}

async function divide(order: Extract<Order, { task: 'divide' }>, lines: string): Promise<void> {
  const pages = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Page);
  for (const passage of dividePages(pages, order.hasPages)) await say({ type: 'passage', passage });
}

async function work(): Promise<void> {
  os.setPriority(NICE);
  // Canvas looks for a home, and there are neither accounts nor variables here.
  process.env['HOME'] = '/';
  const { order, body } = await receiveTask<Order & { size?: number }>();
  try {
    if (order.task === 'extract') await extract(order, body);
    else await divide(order, body.toString('utf8'));
  } catch (error) {
    const isKnown = error instanceof Unreadable;
    if (!isKnown) process.stderr.write(`${String(error)}\n`);
    await say({ type: 'unreadable', reason: isKnown ? error.message : reasons.gaveUp });
  }
  await say({ type: 'end' });
}

await work();
