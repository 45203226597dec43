import { Socket } from 'node:net';
import os from 'node:os';
import type { DocumentKind } from './kinds.ts';
import type { Message, Order, Page } from './messages.ts';
import { PictureReader } from './ocr.ts';
import { openDocument } from './open.ts';
import { dividePages } from './passages.ts';
import { LONGEST_TEXT } from './pageless.ts';
import { reasons, Unreadable } from './unreadable.ts';

// Runs in a process of its own, which its parent may kill at any time: nothing here is trusted to end,
// and nothing of the parent's is within reach. Standard output belongs to the libraries.
const OUT = 3;
/** Behind whatever a person waits for. */
const NICE = 10;

const out = new Socket({ fd: OUT, readable: false, writable: true });

async function say(message: Message): Promise<void> {
  if (!out.write(`${JSON.stringify(message)}\n`))
    await new Promise<void>((resolve) => out.once('drain', resolve));
}

async function extract(order: Extract<Order, { task: 'extract' }>, bytes: Buffer): Promise<void> {
  const reader = new PictureReader();
  const note = (text: string) => void say({ type: 'note', text });
  const alive = () => say({ type: 'alive' });
  const context = { reader, note, alive };
  const { count, read } = await openDocument(order.kind as DocumentKind, bytes, context);
  await say({ type: 'begin', pages: count });
  let length = 0;
  for (let number = order.from; number <= count; number += 1) {
    const page = length > LONGEST_TEXT ? empty(number) : await readPage(number, read, count);
    length += page.text.length;
    await say({ type: 'page', page });
  }
  if (length > LONGEST_TEXT) note('The file is very long: its last pages were left out.');
  await reader.close();
}

/** One page that cannot be read costs that page only. */
async function readPage(
  number: number,
  read: (page: number) => Promise<Page>,
  count: number,
): Promise<Page> {
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

/** The order is the first line; what follows are the bytes of the file, or the pages. */
async function listen(): Promise<{ order: Order; rest: Buffer }> {
  const chunks: Buffer[] = [];
  let order: Order | undefined;
  let rest: Buffer | undefined;
  let filled = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    let body = chunk;
    if (!order) {
      chunks.push(chunk);
      const head = Buffer.concat(chunks);
      const end = head.indexOf(10);
      if (end < 0) continue;
      order = JSON.parse(head.subarray(0, end).toString()) as Order;
      body = head.subarray(end + 1);
      chunks.length = 0;
      // One buffer of the right size: putting pieces together would take the memory twice.
      if (order.task === 'extract') rest = Buffer.alloc(order.size);
    }
    if (rest) filled += body.copy(rest, filled);
    else chunks.push(body);
  }
  if (!order) throw new Error('no order came');
  return { order, rest: rest?.subarray(0, filled) ?? Buffer.concat(chunks) };
}

async function main(): Promise<void> {
  os.setPriority(NICE);
  const { order, rest } = await listen();
  try {
    if (order.task === 'extract') await extract(order, rest);
    else await divide(order, rest.toString('utf8'));
  } catch (error) {
    const isKnown = error instanceof Unreadable;
    if (!isKnown) process.stderr.write(`${String(error)}\n`);
    await say({ type: 'unreadable', reason: isKnown ? error.message : reasons.gaveUp });
  }
  await say({ type: 'end' });
  out.end(() => process.exit(0));
}

await main();
