import { deadlineKinds, type RuleStep } from '@matterdesk/contract/court-rules.ts';
import { capitalize, counted } from '../../core/words.ts';

const units: Record<RuleStep['unit'], readonly [single: string, several: string]> = {
  days: ['day', 'days'],
  courtDays: ['court day', 'court days'],
  weeks: ['week', 'weeks'],
  months: ['month', 'months'],
  years: ['year', 'years'],
};

/** '21 days after, and 3 for service' */
export function spanInWords(span: Pick<RuleStep, 'count' | 'unit' | 'direction' | 'service'>) {
  const [single, several] = units[span.unit];
  const words = `${counted(span.count, single, several)} ${span.direction}`;
  return span.service > 0 ? `${words}, and ${span.service} for service` : words;
}

export const unitOptions = Object.entries(units).map(([value, [, label]]) => ({ value, label }));

/** Kinds to choose from; every matter has its limitation already. */
export const kindOptions = deadlineKinds
  .filter((kind) => kind !== 'limitation')
  .map((value) => ({ value, label: capitalize(value) }));
