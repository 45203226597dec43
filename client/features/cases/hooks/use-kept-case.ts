import { useEffect, useRef, useState } from 'react';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import type { CaseForm, CaseInputs, PartiesForm, PartiesStep } from './use-case-forms.ts';

/** The typed values of 'Add New Case', and the step it was left at. */
type KeptCase = { values: CaseInputs & PartiesStep; step: 1 | 2; notFiled: boolean };

const keyOf = (intakeId: string | undefined) => `new-case-${intakeId ?? 'own'}`;

/** Keeps a case that was not added for this tab, through reloads and other pages. */
export function useKeptCase(intakeId: string | undefined, start: CaseInputs & PartiesStep) {
  const [kept, setKept] = useState(() => readKept(keptInTab(keyOf(intakeId)), start));
  const forget = () => {
    keepInTab(keyOf(intakeId), null);
    setKept(null);
  };
  return { kept, forget };
}

type Forms = { caseForm: CaseForm; partiesForm: PartiesForm };

/** Keeps each change of the forms, until `stop` is called. */
export function useKeeping(
  { caseForm, partiesForm }: Forms,
  { step, notFiled, intakeId }: Omit<KeptCase, 'values'> & { intakeId: string | undefined },
) {
  const isStopped = useRef(false);
  useEffect(() => {
    const before = JSON.stringify([caseForm.getValues(), partiesForm.getValues()]);
    const keep = () => {
      const [own, parties] = [caseForm.getValues(), partiesForm.getValues()];
      if (isStopped.current || JSON.stringify([own, parties]) === before) return;
      const values = { ...own, ...parties };
      keepInTab(keyOf(intakeId), { values, step, notFiled } satisfies KeptCase);
    };
    const subscriptions = [caseForm.watch(keep), partiesForm.watch(keep)];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [caseForm, partiesForm, step, notFiled, intakeId]);
  return () => {
    isStopped.current = true;
    keepInTab(keyOf(intakeId), null);
  };
}

/** Null for what an earlier version kept in another shape. */
function readKept(found: unknown, start: CaseInputs & PartiesStep): KeptCase | null {
  const { values, step, notFiled = false } = (found ?? {}) as Partial<KeptCase>;
  if (!values || (step !== 1 && step !== 2)) return null;
  return hasShape(values, start) ? { values, step, notFiled } : null;
}

function hasShape(value: object, start: object): boolean {
  return Object.entries(start).every(([name, expected]: [string, unknown]) => {
    const held: unknown = (value as Record<string, unknown>)[name];
    if (typeof expected === 'string') return typeof held === 'string';
    if (Array.isArray(expected)) return Array.isArray(held);
    if (typeof expected !== 'object' || expected === null) return held !== undefined;
    return typeof held === 'object' && held !== null && hasShape(held, expected);
  });
}
