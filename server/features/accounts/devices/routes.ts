import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import type { Binder } from '../../../http/bind.ts';
import { endDevice, endOtherDevices, listDevices } from './service.ts';

export function serveDevices(binder: Binder) {
  binder.serve(deviceRoutes, {
    list: ({ context }) => listDevices(context),
    end: async ({ context, params }) => {
      await endDevice(context, params.id);
      return null;
    },
    endOthers: async ({ context }) => {
      await endOtherDevices(context);
      return null;
    },
  });
}
