import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import type { Binder } from '../../../http/bind.ts';
import type { DeviceService } from './service.ts';

export function bindDevices(binder: Binder, service: DeviceService) {
  binder.bind(deviceRoutes.list, ({ actor }) => service.list(actor));
  binder.bind(deviceRoutes.end, async ({ actor, params }) => {
    await service.end(actor, params.id);
    return null;
  });
  binder.bind(deviceRoutes.endOthers, async ({ actor }) => {
    await service.endOthers(actor);
    return null;
  });
}
