// Reads and fills Word templates in a confined process, which the parent may kill at any time.

import { receiveTask, send } from '../confinement/task.ts';
import { Unreadable } from '../documents/messages.ts';
import { fill, toFile, TooLarge } from './fill.ts';
import type { Message, Order } from './messages.ts';
import { firstPage } from './preview.ts';
import { readTemplate, type Template } from './template.ts';

const TOO_LARGE = 'This document would be too large';

function say(message: Message): Promise<void> {
  return send(JSON.stringify(message));
}

type Filling = Extract<Order, { task: 'fill' }>;

async function fillAll(template: Template, { runs, data, answers, wants }: Filling): Promise<void> {
  for (const own of runs) {
    try {
      const filled = fill(template, { ...data, ...own }, answers);
      const bytes = wants === 'document' ? toFile(template, filled) : undefined;
      await say({
        type: 'filled',
        gaps: filled.gaps,
        hasBytes: bytes !== undefined,
        ...(wants === 'preview' && { preview: firstPage(template, filled) }),
      });
      if (bytes) await send(bytes);
    } catch (error) {
      if (!(error instanceof TooLarge)) process.stderr.write(`${String(error)}\n`);
      const why = error instanceof TooLarge ? TOO_LARGE : 'The template could not be filled';
      await say({ type: 'failed', error: why });
    }
  }
}

const { order, body } = await receiveTask<Order>();
try {
  const template = await readTemplate(body, order.catalog);
  if (order.task === 'inspect') await say({ type: 'inspected', inspection: template.inspection });
  else await fillAll(template, order);
} catch (error) {
  if (!(error instanceof Unreadable)) throw error;
  await say({ type: 'unreadable', reason: error.message });
}
