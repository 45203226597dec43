import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { isRealDay } from '@matterdesk/contract/time.ts';
import { useToday } from '../../../ui/days.ts';
import { proposedDaysOpen } from '../rules.ts';
import type { CaseForm } from './use-case-forms.ts';

/** Proposes the days since the opening date until the user enters a number. */
export function useProposedDays({ control, getValues, setValue, formState }: CaseForm): void {
  const today = useToday();
  const dateOfOpening = useWatch({ control, name: 'dateOfOpening' });
  const proposed = useRef(getValues('daysOpen'));
  const isChecked = formState.isSubmitted;
  useEffect(() => {
    const now = getValues('daysOpen');
    if ((now !== null && now !== proposed.current) || !isRealDay(dateOfOpening)) return;
    proposed.current = proposedDaysOpen(dateOfOpening, today);
    setValue('daysOpen', proposed.current, { shouldDirty: true, shouldValidate: isChecked });
  }, [dateOfOpening, today, isChecked, getValues, setValue]);
}
