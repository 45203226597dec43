// Questions to files and the answers with their sources.

import { EventSourceParserStream } from 'eventsource-parser/stream';
import {
  aiRoutes,
  AnswerSchema,
  type Answer,
  type AskEvent,
  type Citation,
  type Question,
} from '@matterdesk/contract/ai.ts';
import { contentUrl, fileRoutes } from '@matterdesk/contract/files.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { call, CallError, openStream } from '../../api.ts';
import { actedOnCase } from '../../core/filed.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { readEvent, sentenceOf } from './rules.ts';

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

const failing = 'Couldn’t add the answer to the stream';

/** The button shows the success itself. */
const addEntry = mutation(streamRoutes.addEntry, failing, {
  toasts: 'errors',
  done: (_, { params }) => void store.dispatch(actedOnCase(params.id)),
});

type Quoted = { caseId: string; question: string; citation: Citation };

/** Adds the key sentence of an answer to the stream of its case. @throws CallError after its toast */
export async function addAnswer(
  { caseId, question, citation }: Quoted,
  idempotencyKey: string,
): Promise<void> {
  const { folder, file_name: name, version } = citation;
  const query = version === undefined ? '' : `?version=${version}`;
  const answer = {
    question,
    quotation: sentenceOf(citation),
    url: contentUrl(caseId, folder, name) + query,
    page: await pageOf(caseId, citation),
  };
  const body = { kind: 'memo', answer } as const;
  await addEntry({ params: { id: caseId }, body, idempotencyKey });
}

/** The page on which the key sentence begins: a passage may go on to the pages after its own. */
async function pageOf(caseId: string, citation: Citation): Promise<number> {
  const { folder, file_name: name, version, sentence } = citation;
  for (let { page } = citation; ; page += 1) {
    const found = await call(fileRoutes.readText, {
      params: { caseId, folder, name },
      query: { page, version },
      failing,
    });
    if (sentence.start < found.start + found.text.length || page >= found.pages) return page;
  }
}
