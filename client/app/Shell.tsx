import { Outlet } from 'react-router';
import { useRealtime } from '../realtime/useRealtime.ts';

export function Shell() {
  useRealtime();
  return <Outlet />;
}
