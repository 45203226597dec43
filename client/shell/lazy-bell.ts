import { lazy } from 'react';

/** A chunk of its own: the first page has no room for it. */
export const Bell = lazy(async () => ({
  default: (await import('../features/notices/components/Bell.tsx')).Bell,
}));
