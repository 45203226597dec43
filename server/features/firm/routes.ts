import { firmRoutes } from '@matterdesk/contract/firm.ts';
import type { Binder } from '../../http/bind.ts';
import type { FirmService } from './service.ts';

export function bindFirm(binder: Binder, service: FirmService) {
  binder.bind(firmRoutes.readFirm, async () => ({ firm: await service.read() }));
  binder.bind(firmRoutes.changeFirm, async ({ actor, body }) => ({
    firm: await service.change(actor, body),
  }));
}
