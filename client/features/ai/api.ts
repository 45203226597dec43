// Questions to files and the answers with their sources.

import { EventSourceParserStream } from 'eventsource-parser/stream';
import {
  aiRoutes,
  AnswerSchema,
  type Answer,
  type AskEvent,
  type Question,
} from '@matterdesk/contract/ai.ts';
import { CallError, openStream } from '../../api.ts';
import { readEvent } from './rules.ts';

/**
 * Asks a question, and reports the parts of the answer as they arrive.
 * @throws CallError; 409 when the file or case is not trained
 */
export async function ask(
  body: Question,
  signal: AbortSignal,
  onEvent: (event: AskEvent) => void,
): Promise<Answer> {
  const reply = await openStream(aiRoutes.ask, { body, signal });
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
  // A proxy may not support streams.
  if (!isStream || !reply.body) return AnswerSchema.parse(await reply.json());
  const events = reply.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { done, value } = await events.read();
    if (done) throw new CallError('The answer was interrupted', 0);
    const event = readEvent(value);
    if (event?.event === 'done') return event.data;
    if (event?.event === 'error')
      throw new CallError(event.data.message, event.data.status, event.data);
    if (event) onEvent(event);
  }
}
