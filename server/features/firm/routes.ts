import { firmRoutes } from '@matterdesk/contract/firm.ts';
import type { Binder } from '../../http/bind.ts';
import { changeFirm, readFirm } from './service.ts';

export function serveFirm(binder: Binder) {
  binder.serve(firmRoutes, {
    readFirm: async ({ context }) => ({ firm: await readFirm(context) }),
    changeFirm: async ({ context, body }) => ({
      firm: await changeFirm(context, body),
    }),
  });
}
