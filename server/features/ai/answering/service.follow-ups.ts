import type { Question } from '@matterdesk/contract/ai.ts';
import type { ChatModel } from '../../../integrations/model/chat.ts';
import { isSelfContained } from '../retrieval/rules.words.ts';
import { readRephrased, REPHRASE, writeFollowUp } from './rules.follow-ups.ts';

/** In milliseconds; short, because the answer cannot begin before the question is understood. */
const TIMEOUTS = { firstWord: 4000, whole: 6000 };

/**
 * Has the model rephrase a follow-up question so that it is understood without the earlier turns.
 * @returns undefined when it already is, and when the model fails or replies with something else
 */
export async function rephrase(
  chat: ChatModel | undefined,
  { question, history = [] }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!chat || history.length === 0 || isSelfContained(question)) return undefined;
  const prompt = writeFollowUp(question, history);
  try {
    let written = '';
    const message = { instructions: REPHRASE, prompt };
    for await (const text of chat.write(message, signal, TIMEOUTS)) written += text;
    return readRephrased(written, question, history);
  } catch {
    // Searching by the words of both turns works nearly as well.
    return undefined;
  }
}
