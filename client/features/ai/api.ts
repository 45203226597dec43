import {
  aiRoutes,
  AnswerSchema,
  type Answer,
  type AskEvent,
  type Question,
} from '@matterdesk/contract/ai.ts';
import { CallError, openStream } from '../../api.ts';
import { readEvents } from './rules.ts';

/**
 * Asks, and tells what comes of the answer while it comes.
 * @throws CallError; 409 says that what is asked is not trained
 */
export async function ask(
  body: Question,
  signal: AbortSignal,
  onEvent: (event: AskEvent) => void,
): Promise<Answer> {
  const reply = await openStream(aiRoutes.ask, { body, signal });
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
  // Something between us and the server may not let streams through.
  if (!isStream || !reply.body) return AnswerSchema.parse(await reply.json());
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new CallError('The answer broke off', 0);
    const { events, rest } = readEvents(received + value);
    received = rest;
    for (const one of events) {
      if (one.event === 'done') return one.data;
      if (one.event === 'error') throw new CallError(one.data.message, one.data.status);
      onEvent(one);
    }
  }
}
