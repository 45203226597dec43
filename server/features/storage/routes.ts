import { storageRoutes } from '@matterdesk/contract/storage.ts';
import type { Binder } from '../../http/bind.ts';
import type { StorageService } from './service.ts';

export function bindStorage(binder: Binder, storage: StorageService) {
  binder.bind(storageRoutes.readStorage, () => storage.read());
}
