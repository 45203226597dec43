import type { Question } from '@matterdesk/contract/ai.ts';
import type { ChatModel } from '../../../integrations/model/chat.ts';
import { readStandAlone, STAND_ALONE, writeFollowUp } from './rules.follow-ups.ts';
import { standsAlone } from '../retrieval/rules.words.ts';

/** Milliseconds: nothing of the answer is there before it is known what is asked. */
const PATIENCE = { firstWord: 4000, whole: 6000 };

/**
 * What a question asks when it is read without the turns before it, put into words by the model.
 * @returns undefined when it stands alone as it is, and when the model was of no help
 */
export async function rephrase(
  chat: ChatModel | undefined,
  { question, history = [] }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!chat || history.length === 0 || standsAlone(question)) return undefined;
  const prompt = writeFollowUp(question, history);
  try {
    let written = '';
    const message = { instructions: STAND_ALONE, prompt };
    for await (const text of chat.write(message, signal, PATIENCE)) written += text;
    return readStandAlone(written, question, history);
  } catch {
    // The words of both turns find it nearly as well.
    return undefined;
  }
}
