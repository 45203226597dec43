import { useEffect, useState } from 'react';
import { integrationRoutes, type Integrations } from '@matterdesk/contract/integrations.ts';
import { call, CallError } from '../api.ts';
import { useAppSelector } from './store.ts';

/** What an administrator has still to set, asked for on each connection; undefined until that is known. */
export function useIntegrations(): Integrations | undefined {
  const epoch = useAppSelector((state) => state.socket.epoch);
  const [integrations, setIntegrations] = useState<Integrations>();
  useEffect(() => {
    const controller = new AbortController();
    call(integrationRoutes.listIntegrations, { signal: controller.signal, toasts: 'none' }).then(
      setIntegrations,
      (error: unknown) => {
        // Then the page's own calls say what is the matter.
        if (error instanceof CallError)
          setIntegrations((known) => known ?? { google: null, twilio: null });
      },
    );
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a server may have been started anew
  }, [epoch]);
  return integrations;
}
