import { useLocation } from 'react-router';
import { paths } from '../core/paths.ts';
import { useResource } from '../core/use-resource.ts';
import { overviewOfDay } from '../features/dashboard/api.ts';
import { useToday } from '../ui/days.ts';

/** Minimum milliseconds between fetches: where the overview is shown, and where only its counts are. */
const PACE_WHERE_SHOWN = 500;
const PACE_ELSEWHERE = 3000;
const shownAt: string[] = [paths.dashboard, paths.matters];
/** Milliseconds during which several changes are combined into one fetch. */
const GATHER = 120;

/** Keeps the overview and the navigation's counts up to date while the shell is open. */
export function useOverview(): void {
  const pace = shownAt.includes(useLocation().pathname) ? PACE_WHERE_SHOWN : PACE_ELSEWHERE;
  useResource(overviewOfDay, useToday(), { gather: GATHER, pace });
}
