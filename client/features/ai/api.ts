import { aiRoutes, type Question } from '@matterdesk/contract/ai.ts';
import { call } from '../../api.ts';

/** @throws CallError; 409 says that what is asked is not trained */
export function ask(body: Question, signal: AbortSignal) {
  return call(aiRoutes.ask, { body, signal, toasts: 'none' });
}
