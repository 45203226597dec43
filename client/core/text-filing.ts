import { textFilingRoutes } from '@matterdesk/contract/stream.ts';
import { filedToCase } from './filed.ts';
import { mutation } from './mutation.ts';
import { store } from './store.ts';

type FiledRequest = { body: { case: string } };

const reportFiled = (_: unknown, { body }: FiledRequest) =>
  void store.dispatch(filedToCase(body.case));

/** Both are shown where they are done, with a way back. */
export const fileTexts = mutation(textFilingRoutes.fileTexts, 'Couldn’t file the texts', {
  toasts: 'errors',
  done: reportFiled,
});

export const unfileTexts = mutation(textFilingRoutes.unfileTexts, 'Couldn’t unfile the texts', {
  toasts: 'errors',
  done: reportFiled,
});
