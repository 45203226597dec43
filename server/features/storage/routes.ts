import { storageRoutes } from '@matterdesk/contract/storage.ts';
import type { Binder } from '../../http/bind.ts';
import { readStorage } from './service.ts';

export function serveStorage(binder: Binder) {
  const { readStorage: read } = storageRoutes;
  binder.serve(
    { readStorage: read },
    {
      readStorage: ({ context }) => readStorage(context),
    },
  );
}
