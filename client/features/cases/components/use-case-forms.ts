import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, type Resolver, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';
import {
  CaseStepSchema,
  PartiesStepSchema,
  type Case,
  type NewCase,
} from '@matterdesk/contract/cases.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { CallError } from '../../../api.ts';

export type CaseStep = z.output<typeof CaseStepSchema>;
export type PartiesStep = z.output<typeof PartiesStepSchema>;
type Undecided = 'statusType' | 'status' | 'type' | 'daysOpen';
/** What stands in the inputs: nothing is chosen until somebody chooses. */
export type CaseInputs = Omit<CaseStep, Undecided> & {
  [Name in Undecided]: CaseStep[Name] | null;
};
export type CaseForm = UseFormReturn<CaseInputs, unknown, CaseStep>;
export type PartiesForm = UseFormReturn<PartiesStep, unknown, PartiesStep>;

const emptyCase: CaseInputs = {
  caseName: '',
  caseNo: '',
  statusType: null,
  status: null,
  type: null,
  judge: '',
  dateOfOpening: '',
  managingAttorney: '',
  DOI: '',
  SOL: '',
  daysOpen: null,
  assignedUsers: [],
};
const emptyParties: PartiesStep = {
  clientInfo: { name: '', phoneNumber: '', email: '', address: '' },
  opposingCounselInfo: { organization: '', name: '', phoneNumber: '', email: '', address: '' },
};

/** The two halves of a case's form, each checked by itself. */
export function useCaseForms(start?: NewCase) {
  const { clientInfo, opposingCounselInfo, ...own } = start ?? { ...emptyCase, ...emptyParties };
  const caseForm = useForm<CaseInputs, unknown, CaseStep>({
    defaultValues: own,
    resolver: zodResolver(CaseStepSchema) as Resolver<CaseInputs, unknown, CaseStep>,
  });
  const partiesForm = useForm<PartiesStep, unknown, PartiesStep>({
    defaultValues: { clientInfo, opposingCounselInfo },
    resolver: zodResolver(PartiesStepSchema),
  });
  return { caseForm, partiesForm };
}

/** A case as its form holds it. */
export function toForm(matter: Case): NewCase {
  const { id: _id, download: _files, createdAt: _created, updatedAt: _updated, ...own } = matter;
  return { ...own, assignedUsers: matter.assignedUsers.map(({ id }) => id) };
}

/** Where the first field stands that the server has refused; undefined when it spoke of none. */
export function stepOfRefusal(error: unknown): 1 | 2 | undefined {
  const path = error instanceof CallError ? error.errors[0]?.path : undefined;
  if (path === undefined) return undefined;
  return isOfParties(path) ? 2 : 1;
}

/** Puts what the server has refused under the fields of both halves; the focus goes into the first. */
export function showRefusal(
  { caseForm, partiesForm }: { caseForm: CaseForm; partiesForm: PartiesForm },
  error: unknown,
): void {
  if (!(error instanceof CallError)) return;
  const { message, status, errors } = error;
  const ofParties = errors.filter(({ path }) => isOfParties(path));
  const ofCase = errors.filter(({ path }) => !isOfParties(path));
  showFieldErrors(partiesForm, new CallError(message, status, { errors: ofParties }));
  showFieldErrors(caseForm, new CallError(message, status, { errors: ofCase }));
}

function isOfParties(path: string) {
  return /^(clientInfo|opposingCounselInfo)\b/.test(path);
}
