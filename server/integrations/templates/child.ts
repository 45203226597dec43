// Reads and fills Word templates in a confined process, which the parent may kill at any time.

import { receiveTask, send } from '../confinement/task.ts';
import { UnreadableDocument } from '../documents/messages.ts';
import type { Message, Order } from './assemble.ts';
import { fill, toFile, TooLarge } from './fill.ts';
import { firstPage } from './preview.ts';
import { readTemplate, type Template } from './template.ts';

function say(message: Message): Promise<void> {
  return send(JSON.stringify(message));
}

type FillOrder = Extract<Order, { task: 'fill' }>;

async function fillAll(template: Template, order: FillOrder): Promise<void> {
  const { runs, data, answers, isWhole, preview } = order;
  for (const [at, own] of runs.entries()) {
    try {
      const filled = fill(template, { ...data, ...own }, answers);
      const bytes = isWhole ? toFile(template, filled) : undefined;
      await say({
        type: 'filled',
        gaps: filled.gaps,
        hasBytes: bytes !== undefined,
        ...(at === preview && { preview: firstPage(template, filled) }),
      });
      if (bytes) await send(bytes);
    } catch (error) {
      const isTooLarge = error instanceof TooLarge;
      if (!isTooLarge) process.stderr.write(`${String(error)}\n`);
      await say({ type: 'failed', code: isTooLarge ? 'tooLarge' : 'failed' });
    }
  }
}

const { order, body } = await receiveTask<Order>();
try {
  const template = await readTemplate(body, order.catalog);
  if (order.task === 'inspect') await say({ type: 'inspected', inspection: template.inspection });
  else await fillAll(template, order);
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error;
  await say({ type: 'unreadable', reason: error.message });
}
